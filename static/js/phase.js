// From the lobby to the game to the result: another page. Hands and screens stay. And the seals for the menu.
const { body } = document;

document.addEventListener("htmx:after:swap", () => {
  const now = document.querySelector("#f-phase")?.dataset;
  for (const old of document.querySelectorAll(".sheet .digests")) {
    old.replaceChildren(...(document.querySelector("#seals")?.cloneNode(true).childNodes ?? []));
  }
  if (!now || (now.phase === body.dataset.phase && now.plays === body.dataset.plays)) return;
  if (body.matches(".face-hand, .face-screen")) Object.assign(body.dataset, { phase: now.phase, plays: now.plays });
  else {
    scrollTo(0, 0); // another page begins at its top
    location.reload();
  }
});
