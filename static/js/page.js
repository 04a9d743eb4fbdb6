// Pages without a socket: home, join, move, rules.
import "./light.js";
import "./share.js";
import { hex } from "./random.js";
import { session } from "./store.js";

// The form that takes a seat also sends this browser's random numbers for the deal.
for (const form of document.querySelectorAll("form[data-salted]")) {
  form.addEventListener("submit", () => {
    form.elements.salt.value = hex(16);
    session.set("salted", "1");
  });
}

// A one-time link carries its secret in the fragment; only the button sends it.
const move = document.querySelector("form[data-from-fragment]");
if (move) {
  move.elements.token.value = location.hash.slice(1);
  document.querySelector("[data-no-fragment]").hidden = move.hidden = false;
  (location.hash.length > 1 ? document.querySelector("[data-no-fragment]") : move).hidden = true;
}

for (const link of document.querySelectorAll("[data-back]")) {
  link.addEventListener("click", (event) => {
    if (history.length < 2) return;
    event.preventDefault();
    history.back();
  });
}
