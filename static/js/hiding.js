// Hiding the hand: a tap on the button toggles it, holding the button shows a hidden hand while it is pressed. On the hand
// face an answer that is handed in lies face down by itself; holding the card shows it, too.
import { local } from "./store.js";

const root = document.documentElement;
const LONG = 280;
const LAID = ".face-hand .hand.laid :is(.choice.mine, .drafted)";
let hiding = root.classList.contains("hiding"); // chosen by the player
let opened = false; // the player has turned up the answer that lies face down
let peeking = false;
let pressed = 0;
let wasHidden = false;

const laid = () => document.querySelector(LAID) !== null;
const hidden = () => root.classList.contains("hiding");
const button = (event) => event.target.closest?.(".hold");

// Hidden cards can be neither focused nor pressed: the focus ring would reveal the card.
function settle() {
  const down = laid();
  opened &&= down;
  root.classList.toggle("hiding", !peeking && (down ? !opened : hiding));
  root.classList.toggle("peeking", peeking);
  for (const choices of document.querySelectorAll(".hand .choices")) choices.inert = hidden() && !down;
  for (const hold of document.querySelectorAll(".hold")) hold.setAttribute("aria-pressed", String(hidden()));
}

function toggle() {
  if (laid()) opened = hidden();
  else {
    hiding = !hidden();
    local.set("hiding", hiding ? "1" : "");
  }
  settle();
}

document.addEventListener("pointerdown", (event) => {
  if (!button(event) && !event.target.closest?.(LAID)) return;
  pressed = performance.now();
  wasHidden = peeking = hidden();
  settle();
});

for (const end of ["pointerup", "pointercancel"]) {
  document.addEventListener(end, () => {
    peeking = false;
    settle();
  });
}

document.addEventListener("click", (event) => {
  if (!button(event)) return;
  const held = pressed && performance.now() - pressed > LONG;
  const byKey = event.detail === 0;
  pressed = 0;
  if (!held || !wasHidden || byKey) toggle(); // otherwise the button was held: the hand stays hidden
});

document.addEventListener("contextmenu", (event) => {
  if (button(event) || event.target.closest?.(LAID)) event.preventDefault();
});
document.addEventListener("htmx:after:swap", settle);
settle();
