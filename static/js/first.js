// Runs before the page is drawn: scripts are on, and the light that was chosen.
document.documentElement.classList.remove("nojs");
try {
  const light = localStorage.getItem("light");
  if (light) document.documentElement.dataset.theme = light;
} catch {
  // storage may be forbidden: the system's light it is
}
try {
  document.documentElement.classList.toggle("hiding", localStorage.getItem("hiding") === "1");
} catch {
  // then the hand is open
}
