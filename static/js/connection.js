// The socket is htmx's; this says when it is lost, notices when it is dead, and gives every message an id of its own.
import { hex } from "./random.js";

const LOST_AFTER = 1200; // a restart takes less: nobody need be told
const QUIET = 10_000; // so long without a word, and we ask
const DEAD = 18_000; // so long without an answer, and it is dead
const TWICE = 600; // the same words again so soon are a second click

let connection = null;
let heard = 0;
let asked = false;
let timer = 0;
let last = { text: "", at: 0 };

const banner = document.querySelector("#lost");

document.addEventListener("htmx:ws:after:connection", (event) => {
  connection = event.detail.connection;
  listen();
  clearTimeout(timer);
  timer = 0;
  if (banner) banner.hidden = true;
});

document.addEventListener("htmx:ws:before:message:incoming", listen);

document.addEventListener("htmx:ws:close", () => {
  timer ||= setTimeout(() => banner && (banner.hidden = false), LOST_AFTER);
});

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

// What has been answered may be said again: undo, and undo.
document.addEventListener("htmx:after:swap", () => (last.text = ""));

// For what no form sends. Tells whether it went out; nothing of it is worth keeping for later.
export function say(message) {
  if (connection?.socket?.readyState !== WebSocket.OPEN) return false;
  connection.socket.send(JSON.stringify(message));
  return true;
}

export const lastSaid = () => last.at;

function listen() {
  heard = performance.now();
  asked = false;
}

// A half-open socket says nothing: neither an end nor anything else.
setInterval(() => {
  const socket = connection?.socket;
  if (socket?.readyState !== WebSocket.OPEN) return;
  const quiet = performance.now() - heard;
  if (quiet > DEAD && asked) {
    listen();
    socket.dispatchEvent(new CloseEvent("close", { code: 1006 }));
  } else if (quiet > QUIET && !asked) {
    asked = say({ do: "ping" });
  }
}, 2000);

// Back from the browser's cache of pages: htmx closed the socket for good.
addEventListener("pageshow", (event) => event.persisted && location.reload());

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-reload]")) location.reload();
  if (event.target.closest("[data-dismiss]")) document.querySelector("#f-notice").replaceChildren();
});
