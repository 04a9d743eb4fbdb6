// A classic script right behind the reveal, so it runs before the rest is drawn. Checks for a reveal that this browser has
// not played yet (after a reload or the end of the game) and hides the rest; player.js then plays it.
{
  const reveal = document.querySelector("[data-reveal]");
  const { token, plays } = document.body.dataset;
  try {
    const seen = sessionStorage.getItem(`seen ${token} ${plays}`);
    const unseen = seen && Number(reveal.dataset.beats) > 0 && Number(reveal.dataset.reveal) > Number(seen);
    if (unseen) document.body.classList.add("playing", "again");
  } catch {
    // no storage: play nothing
  }
}
