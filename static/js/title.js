// The title of a hidden tab shows when the table waits for the player.
const title = document.title;
const mine = ".hand:not(.laid) [name=move]:not([data-anytime])";

function show() {
  const waits = document.hidden && document.querySelector(mine);
  document.title = waits ? `● ${document.body.dataset.yourChoice} · ${title}` : title;
}

document.addEventListener("visibilitychange", show);
document.addEventListener("htmx:after:swap", show);
