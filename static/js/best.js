// The best score of solo games. It is stored on this device only.
import { local } from "./store.js";

const found = new Map(); // key -> {best, fresh}; looked up once per page, since the stored score then includes this game

function look(line) {
  const key = `best ${line.dataset.best}`;
  if (!found.has(key)) {
    const before = Number(local.get(key) ?? -1);
    const best = Math.max(before, Number(line.dataset.score));
    if (best > before) local.set(key, String(best));
    found.set(key, { best, fresh: best > before });
  }
  return found.get(key);
}

function show() {
  for (const line of document.querySelectorAll("[data-best]")) {
    if (document.body.dataset.me !== line.dataset.of) continue;
    const { best, fresh } = look(line);
    line.querySelector("b").textContent = String(best);
    line.querySelector("[data-new]").hidden = !fresh;
    line.hidden = best < 0;
  }
}

document.addEventListener("htmx:after:swap", show); // the server's HTML does not contain it
show();
