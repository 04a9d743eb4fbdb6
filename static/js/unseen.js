// Not a module, and right behind the reveal: before what comes after it is drawn. Is there a reveal that this browser
// has not played out yet (a reload, the end of the game)? Then it goes first; player.js plays it.
{
  const reveal = document.querySelector("[data-reveal]");
  const { token, plays } = document.body.dataset;
  try {
    const seen = sessionStorage.getItem(`seen ${token} ${plays}`);
    const unseen = seen && Number(reveal.dataset.beats) > 0 && Number(reveal.dataset.reveal) > Number(seen);
    if (unseen) document.body.classList.add("playing", "again");
  } catch {
    // nothing is remembered: nothing is played again
  }
}
