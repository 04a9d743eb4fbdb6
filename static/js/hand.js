// The hand: the lifted card and the focus survive swaps and reloads.
import { say } from "./connection.js";
import { session } from "./store.js";

const key = `lifted ${document.body.dataset.token}`;
const cards = () => [...document.querySelectorAll("#hand input[name=move]")];

function round() {
  return document.querySelector("#hand [name=round]")?.value;
}

document.addEventListener("change", (event) => {
  if (!event.target.matches("#hand input[name=move]")) return;
  remember(event.target);
  sendWith();
  // With a timer, the server plays the lifted card when the time runs out.
  if (document.querySelector(".clock") && !("anytime" in event.target.dataset)) {
    say({ do: "lift", round: Number(round()), move: event.target.value });
  }
});

function remember(card) {
  session.set(key, `${round()} ${card.value}`);
}

// Restores the lifted card, also after a reload.
function liftAgain() {
  const [when, ...move] = (session.get(key) ?? "").split(" ");
  if (!move.length || when !== round() || cards().some((card) => card.checked)) return;
  const card = cards().find((one) => one.value === move.join(" "));
  if (card) card.checked = true;
}

let focused = null;
document.addEventListener("htmx:before:swap", () => {
  const now = document.activeElement;
  if (now === document.body && focused && !focused.isConnected) return; // a swap in progress removed it
  focused = now?.closest("#f-own, #f-own_hand, #f-lobby, #f-after") ? now : null;
});
document.addEventListener("htmx:after:swap", () => {
  liftAgain();
  sendWith();
  keepFocus();
});

function keepFocus() {
  if (!focused || document.activeElement !== document.body) return;
  const same = focused.id && document.getElementById(focused.id);
  const [what, seat] = focused.id.split("-"); // the button for a free seat became that of a bot, or vice versa
  const other = { bot: "free", free: "bot" }[what];
  const next =
    same || document.getElementById(`${other}-${seat}`) || document.querySelector("#take-back, #ask, #ready");
  if (!document.body.classList.contains("playing")) next?.focus({ preventScroll: true });
}

// The card that the main button would lay. Not a torch in a hidden hand: the player cannot see that it is lifted.
function lifted() {
  const card = cards().find((one) => one.checked);
  return card && "anytime" in card.dataset && document.documentElement.classList.contains("hiding") ? null : card;
}

// Enables the fields with further words of the answer for the lifted card, and disables those of other cards.
function sendWith() {
  const n = lifted()?.closest("[data-n]")?.dataset.n;
  for (const more of document.querySelectorAll("#hand [data-with]")) more.disabled = more.dataset.with !== n;
}

// Without a lifted card, focus the first one; the browser's validation bubble cannot point at a hidden hand.
document.addEventListener(
  "submit",
  (event) => {
    const hand = event.target.closest("form#hand");
    if (!hand || lifted()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    cards()[0]?.focus();
  },
  true,
);
document.addEventListener("click", (event) => {
  const hand = event.target.closest("form#hand");
  if (hand) hand.noValidate = true;
});

const early = cards().find((card) => card.checked); // lifted before this script ran
if (early) remember(early);
liftAgain();
sendWith();
