// Runs before the page is drawn: marks that scripts run and sets the chosen theme.
document.documentElement.classList.remove("nojs");
document.documentElement.classList.toggle("dims", !navigator.wakeLock);
try {
  const light = localStorage.getItem("light");
  if (light) document.documentElement.dataset.theme = light;
} catch {
  // no storage: use the system's theme
}
try {
  document.documentElement.classList.toggle("hiding", localStorage.getItem("hiding") === "1");
} catch {
  // no storage: show the hand
}
