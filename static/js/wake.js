// Keeps phones with a hand and the big screen awake, where the browser allows it.
async function stay() {
  if (document.hidden || !document.body.matches(".face-play, .face-hand, .face-screen")) return;
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // low battery or no permission
  }
}

document.addEventListener("visibilitychange", stay);
stay();
