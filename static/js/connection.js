// The socket belongs to htmx; this shows when it is lost, detects a dead one, and gives every message an id.
import { hex } from "./random.js";

const LOST_AFTER = 1200; // a server restart is shorter and needs no banner
// Who can be reached again has the table within 5 seconds.
const TICK = 250;
const QUIET = 2000; // ping after this silence
const ANSWER = 1800; // the socket is dead if the ping is not answered in this time; a slow network gets longer
const SLOWEST = 8000;
const CONNECT = 6000; // longest wait for a connection: the system tries less and less often
const REFUSED = [1008, 4029]; // the server closed the socket, after a burst of messages that it refused
const UNKNOWN_TABLE = 4004;
const SOON = 2500; // longest pause before connecting again; base.html has the same
const LATER = 60_000; // the same after REFUSED
const TWICE = 600; // the same message within this time is a double click

let connection = null;
let heard = 0;
let asked = 0; // when the ping was sent that has no answer
let answer = ANSWER;
let connecting = { socket: null, since: 0 };
let timer = 0;
let opened = 0;
let bursts = 0; // times in a row that the socket was closed with REFUSED
let last = { text: "", at: 0 };

const banner = document.querySelector("#lost");

document.addEventListener("htmx:ws:after:connection", (event) => {
  connection = event.detail.connection;
  // The page changes from now on: what it had when it was loaded is true for the first connection only.
  connection.url = connection.url.replace(/&has=[^&]*/, "");
  opened = performance.now();
  listen();
  clearTimeout(timer);
  timer = 0;
  if (banner) banner.hidden = true;
});

document.addEventListener("htmx:ws:before:message:incoming", listen);

document.addEventListener("htmx:ws:close", ({ detail }) => {
  asked = 0;
  if (detail.code === UNKNOWN_TABLE) return void location.reload(); // it was deleted: the answer says so
  if (detail.reason === "closed") slowDown(detail);
  timer ||= setTimeout(showLost, LOST_AFTER);
});

function showLost() {
  if (banner) banner.hidden = false;
}

// After each burst of refused messages the pause doubles, from 4 seconds on: htmx computes it from the attempts.
function slowDown({ connection, code }) {
  const refused = REFUSED.includes(code);
  if (refused) {
    if (performance.now() - opened > LATER) bursts = 0;
    bursts++;
    connection.attempt = bursts + 3;
  }
  connection.config.reconnectMaxDelay = refused ? LATER : SOON;
}

document.addEventListener("htmx:ws:before:message:outgoing", (event) => {
  const { message } = event.detail;
  const { id, ...said } = message.values;
  const text = JSON.stringify(said);
  if (text === last.text && performance.now() - last.at < TWICE) {
    event.detail.cancelled = true;
    return;
  }
  last = { text, at: performance.now() };
  message.data = JSON.stringify({ ...said, id: hex(12) });
});

// After an answer the same message may be sent again, for example a second undo.
document.addEventListener("htmx:after:swap", () => (last.text = ""));

// Sends a message that no form sends. Returns false if the socket is not open; the message is then dropped.
export function say(message) {
  if (connection?.socket?.readyState !== WebSocket.OPEN) return false;
  connection.socket.send(JSON.stringify(message));
  return true;
}

export const lastSaid = () => last.at;

function listen() {
  heard = performance.now();
  if (asked) answer = Math.min(SLOWEST, Math.max(ANSWER, 2 * (heard - asked)));
  asked = 0;
}

function giveUp(socket) {
  heard = connecting.since = performance.now(); // once, until there is another socket
  showLost();
  socket.dispatchEvent(new CloseEvent("close", { code: 1006 }));
}

// A half-open socket receives neither messages nor a close event.
setInterval(() => {
  const socket = connection?.socket;
  const now = performance.now();
  if (socket?.readyState === WebSocket.CONNECTING) {
    if (socket !== connecting.socket) connecting = { socket, since: now };
    if (now - connecting.since > CONNECT) {
      connection.attempt = 0; // it has waited long enough
      giveUp(socket);
    }
  } else if (socket?.readyState !== WebSocket.OPEN) {
    return;
  } else if (asked && now - asked > answer) {
    answer = Math.min(SLOWEST, 2 * answer);
    giveUp(socket);
  } else if (!asked && now - heard > QUIET && say({ do: "ping" })) {
    asked = now;
  }
}, TICK);

// Restored from the back/forward cache: htmx has closed the socket and does not reopen it.
addEventListener("pageshow", (event) => event.persisted && location.reload());

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-reload]")) location.reload();
  if (event.target.closest("[data-dismiss]")) document.querySelector("#f-notice").replaceChildren();
});
