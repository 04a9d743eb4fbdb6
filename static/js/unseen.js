// A classic script right behind the reveal, so it runs before the rest is drawn. Checks for a reveal that this browser has
// not played yet (after a reload or the end of the game) and hides the rest; player.js then plays it.
{
  const reveal = document.querySelector("[data-reveal]");
  const { token, plays, me } = document.body.dataset;
  const { chain } = reveal.dataset; // who made its newest step; undefined if the reveal stands alone
  try {
    const key = `seen ${token} ${plays}`;
    const seen = sessionStorage.getItem(key);
    // The first page of a game plays nothing. Noted here, because a card can be laid before player.js has loaded.
    if (!seen) sessionStorage.setItem(key, reveal.dataset.reveal);
    const unseen = seen && Number(reveal.dataset.beats) > 0 && Number(reveal.dataset.reveal) > Number(seen);
    const own = chain && chain === me;
    if (unseen && !own) document.body.classList.add(chain === undefined ? "playing" : "following");
  } catch {
    // no storage: play nothing
  }
}
