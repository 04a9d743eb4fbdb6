// Hiding the hand: a tap on the button toggles it, holding the button shows a hidden hand while it is pressed.
import { local } from "./store.js";

const root = document.documentElement;
const LONG = 280;
let pressed = 0;
let wasHiding = false;

const button = (event) => event.target.closest?.(".hold");

function hide(on) {
  root.classList.toggle("hiding", on);
  settle();
}

// Hidden cards can be neither focused nor pressed: the focus ring would reveal the card.
function settle() {
  const hidden = root.classList.contains("hiding");
  for (const choices of document.querySelectorAll(".hand .choices")) choices.inert = hidden;
  for (const hold of document.querySelectorAll(".hold")) hold.setAttribute("aria-pressed", String(hidden));
}

document.addEventListener("pointerdown", (event) => {
  if (!button(event)) return;
  pressed = performance.now();
  wasHiding = root.classList.contains("hiding");
  if (!wasHiding) return;
  root.classList.add("peeking");
  hide(false);
});

for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => {
    if (!root.classList.contains("peeking")) return;
    root.classList.remove("peeking");
    hide(true);
  });
}

document.addEventListener("click", (event) => {
  if (!button(event)) return;
  const held = pressed && performance.now() - pressed > LONG;
  const byKey = event.detail === 0;
  pressed = 0;
  if (held && wasHiding && !byKey) return; // the button was held: the hand stays hidden
  const on = byKey ? !root.classList.contains("hiding") : !wasHiding;
  hide(on);
  local.set("hiding", on ? "1" : "");
});

document.addEventListener("contextmenu", (event) => button(event) && event.preventDefault());
document.addEventListener("htmx:after:swap", settle);
settle();
