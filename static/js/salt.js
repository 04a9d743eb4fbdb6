// In the lobby every seat's browser sends random numbers (a salt) once per game, so that no one party determines the deal.
import { lastSaid, say } from "./connection.js";
import { hex } from "./random.js";
import { local, session } from "./store.js";

const { face, token, plays, me } = { face: document.body.className, ...document.body.dataset };
const key = `salted ${token} ${plays}`;
let sent = 0;

if (session.get("salted")) {
  // The salt was sent with the form that took the seat.
  session.remove("salted");
  local.set(key, "1");
}

document.addEventListener("htmx:ws:after:connection", () => {
  if (face !== "face-lobby" || !me || local.get(key)) return;
  if (say({ do: "salt", salt: hex(16) })) {
    sent = performance.now();
    local.set(key, "1");
  }
});

// Another device of the same seat may have sent one before: hide that refusal.
document.addEventListener("htmx:before:swap", (event) => {
  const { tasks } = event.detail;
  if (!sent || performance.now() - sent > 3000 || lastSaid() > sent) return;
  for (let i = tasks.length - 1; i >= 0; i--) {
    if (tasks[i].fragment?.querySelector?.("#f-notice")) tasks.splice(i, 1);
  }
});
