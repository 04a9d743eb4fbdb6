// Shows what has happened to the people at the table, one announcement after the other, while the page is seen.
import { session } from "./store.js";

const STAYS = 6000;
const { body } = document;
const key = `announced ${body.dataset.token}`;
const lines = () => [...document.querySelectorAll("#f-announced > [data-n]")];
const number = (line) => Number(line.dataset.n);

let told = Number(session.get(key) ?? NaN);
if (Number.isNaN(told)) note(Math.max(0, ...lines().map(number))); // a first visit: announcements made before it are not shown
let timer = 0;

function note(n) {
  told = n;
  session.set(key, String(n));
}

// An announcement about the viewer's own seat is shown only if it has a sentence for the viewer (`.to-you`).
const isNews = (line) =>
  number(line) > told && (line.dataset.seat !== body.dataset.me || line.querySelector(".to-you"));

function show() {
  const now = lines().find(isNews);
  for (const line of lines()) line.classList.toggle("shown", line === now);
  if (!now || timer || document.hidden) return;
  timer = setTimeout(() => {
    timer = 0;
    note(number(now));
    show();
  }, STAYS);
}

document.addEventListener("htmx:after:swap", show);
document.addEventListener("visibilitychange", show);
show();
