// A phone that holds a hand, and the screen, stay awake where they can.
async function stay() {
  if (document.hidden || !document.body.matches(".face-play, .face-hand, .face-screen")) return;
  try {
    await navigator.wakeLock?.request("screen");
  } catch {
    // low battery, or not allowed
  }
}

document.addEventListener("visibilitychange", stay);
stay();
