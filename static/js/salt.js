// In the lobby every seat's browser pledges random numbers (a salt): it sends their digest. After the start, when no pledge can
// change any more, it sends them. It notes what it was shown, to compare it with the log after the game (deal.js).
import { lastSaid, say } from "./connection.js";
import { keepSalt, noteDeal, pledgedSalt, pledgeTo } from "./deal.js";
import { hex } from "./random.js";
import { session } from "./store.js";

const { token } = document.body.dataset;
const BEGIN = "begin";
let sent = 0;
let said = ""; // the last message over this connection, not to be repeated

document.addEventListener("htmx:ws:after:connection", () => {
  said = "";
  look();
});
document.addEventListener("htmx:after:swap", look);

function look() {
  const { phase, plays, commitment, pledges, dealing } = document.querySelector("#f-phase")?.dataset ?? {};
  if (phase !== "lobby") return;
  const seats = pledges
    .trim()
    .split(" ")
    .map((one) => one.split(":"));
  const me = document.body.dataset.me;
  const mine = seats.find(([seat]) => seat === me)?.[1];
  if (dealing !== undefined) open(commitment, Number(plays) + 1, seats, mine);
  else if (mine === "-") pledge(commitment, Number(plays) + 1);
  else if (mine && session.get(BEGIN)) {
    session.remove(BEGIN);
    say({ do: "start" });
  }
}

function pledge(commitment, plays) {
  if (said === commitment) return;
  const salt = pledgedSalt(token, commitment) ?? hex(16);
  if (!keepSalt(token, plays, commitment, salt)) return; // a browser that forgets could not open it
  if (!say({ do: "pledge", pledge: pledgeTo(commitment, salt) })) return;
  said = commitment;
  sent = performance.now();
}

const pledged = (text) => (text === "-" ? "" : text);

function open(commitment, plays, seats, mine) {
  const all = seats.map(([, one]) => pledged(one));
  noteDeal(token, plays, commitment, all, pledged(mine ?? ""));
  const salt = pledgedSalt(token, commitment);
  if (salt === null || said === salt || pledgeTo(commitment, salt) !== mine) return;
  if (say({ do: "salt", salt })) said = salt;
}

// Another device of the same seat may have pledged before: hide that refusal.
document.addEventListener("htmx:before:swap", (event) => {
  const { tasks } = event.detail;
  if (!sent || performance.now() - sent > 3000 || lastSaid() > sent) return;
  for (let i = tasks.length - 1; i >= 0; i--) {
    if (tasks[i].fragment?.querySelector?.("#f-notice")) tasks.splice(i, 1);
  }
});
