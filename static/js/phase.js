// From the lobby to the game to the result: another page. Hands and screens stay.
const { body } = document;

document.addEventListener("htmx:after:swap", () => {
  const now = document.querySelector("#f-phase")?.dataset;
  if (!now || (now.phase === body.dataset.phase && now.plays === body.dataset.plays)) return;
  if (body.matches(".face-hand, .face-screen")) Object.assign(body.dataset, { phase: now.phase, plays: now.plays });
  else {
    scrollTo(0, 0); // another page begins at its top
    location.reload();
  }
});
