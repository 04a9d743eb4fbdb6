// The guided first turn: at each new kind of question a hint, for whoever has asked for it in the lobby or the menu. A hint
// that was answered or closed does not come again in this browser, unless the guide is switched on anew.
import { local } from "./store.js";

const { game } = document.body.dataset;
const [ON, SEEN] = [`guide ${game}`, `guide seen ${game}`];
let shown = ""; // the step of the hint on the page

const seen = () => new Set((local.get(SEEN) ?? "").split(" "));
const note = (step) => local.set(SEEN, [...seen(), step].join(" "));

function settle() {
  const on = local.get(ON) === "1";
  for (const button of document.querySelectorAll("[data-guide='on']")) button.setAttribute("aria-pressed", String(on));
  const hint = document.getElementById("guide");
  const step = hint?.dataset.step ?? "";
  if (shown && step !== shown) note(shown);
  shown = on && step && !seen().has(step) ? step : "";
  if (hint) hint.hidden = !shown;
}

document.addEventListener("click", (event) => {
  const does = event.target.closest?.("[data-guide]")?.dataset.guide;
  if (!does) return;
  if (does === "seen") note(shown);
  else local.set(ON, does === "on" && local.get(ON) !== "1" ? "1" : "");
  if (does === "on") local.remove(SEEN);
  settle();
});
document.addEventListener("htmx:after:swap", settle);
settle();
