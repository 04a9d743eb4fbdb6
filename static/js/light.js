// Day or night theme: the system's until the player presses the button.
import { local } from "./store.js";

document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-light]")) return;
  const root = document.documentElement;
  const day = root.dataset.theme ? root.dataset.theme === "day" : matchMedia("(prefers-color-scheme: light)").matches;
  root.dataset.theme = day ? "night" : "day";
  local.set("light", root.dataset.theme);
});
