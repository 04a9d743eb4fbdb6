// Pages without a socket: home, join, move, rules.
import "./last_face.js";
import "./light.js";
import "./share.js";
import { session } from "./store.js";

// The game against bots starts from its lobby, when this browser has pledged its random numbers for the deal (salt.js).
session.remove("begin");
document.querySelector("[data-later]")?.addEventListener("click", (event) => {
  session.set("begin", "1");
  if (session.get("begin")) event.target.closest("form").elements.later.value = "1";
});

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
