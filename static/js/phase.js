// Reloads the page when the phase changes; hands and screens stay. Also notes a seat that the viewer has taken or lost, and
// copies the digests into the menu.
const { body } = document;

document.addEventListener("htmx:after:swap", () => {
  const now = document.querySelector("#f-phase")?.dataset;
  const me = document.querySelector("#f-menu")?.dataset.me;
  if (me) body.dataset.me = me;
  else delete body.dataset.me;
  for (const old of document.querySelectorAll(".sheet .digests")) {
    old.replaceChildren(...(document.querySelector("#seals")?.cloneNode(true).childNodes ?? []));
  }
  if (!now || (now.phase === body.dataset.phase && now.plays === body.dataset.plays)) return;
  if (body.matches(".face-hand, .face-screen")) Object.assign(body.dataset, { phase: now.phase, plays: now.plays });
  else {
    scrollTo(0, 0); // the new page starts at its top
    location.reload();
  }
});
