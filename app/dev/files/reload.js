// Reloads the page when the server has new code or files. Only in a server that follows changes of its files.
const { state } = document.currentScript.dataset;
const PAUSE = 500; // asked again and again: requests that wait would use up the browser's connections

async function changed() {
  try {
    const answer = await fetch("/dev/changes");
    return answer.ok && (await answer.text()) !== state;
  } catch {
    return false; // the server starts again
  }
}

async function follow() {
  if (await changed()) location.reload();
  else setTimeout(follow, PAUSE);
}

if (window.top === window) follow(); // a page in a frame is reloaded with the page around it
