// In the lobby after a game: who has won it. A rematch takes everybody away from the page with the result.
import { session } from "./store.js";

const { body } = document;
const key = `result ${body.dataset.token}`;
const title = document.querySelector(".face-result #scoring h1");
if (title) session.set(key, title.textContent.trim());

const line = document.querySelector("#last-result");
if (line && session.get(key)) {
  line.querySelector("b").textContent = session.get(key);
  line.hidden = false;
}
