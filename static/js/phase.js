// Reloads the page when the phase or the game changes; the page of a screen stays while the game is the same, that of a hand
// until the lobby. Also notes a seat that the viewer has taken or lost, and copies the digests into the menu.
const { body } = document;

document.addEventListener("htmx:after:swap", () => {
  const now = document.querySelector("#f-phase")?.dataset;
  const me = document.querySelector("#f-menu")?.dataset.me;
  if (me) body.dataset.me = me;
  else delete body.dataset.me;
  for (const old of document.querySelectorAll(".sheet .digests")) {
    old.replaceChildren(...(document.querySelector("#seals")?.cloneNode(true).childNodes ?? []));
  }
  const { phase, plays, game } = now ?? body.dataset;
  if (phase === body.dataset.phase && plays === body.dataset.plays && game === body.dataset.game) return;
  const stays = body.matches(".face-screen") || (body.matches(".face-hand") && phase !== "lobby");
  if (stays && game === body.dataset.game) Object.assign(body.dataset, { phase, plays });
  else {
    scrollTo(0, 0); // the new page starts at its top
    location.reload();
  }
});
