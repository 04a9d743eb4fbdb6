// Rooms of the map. A room one step away can be tapped once a die is picked: the die moves, and the step follows.
// The card of a room is shown while the pointer is over the room or the arrow keys are on it, and after a tap. Where a tap
// moves, a finger that rests on the room shows its card instead. The text is that of "the map in words". Rooms that can be
// entered are buttons of their own.
const [COLUMNS, ROWS] = ["ABCDEF", "1234567"];
// The rooms' squares within the drawing, as in map.css, in parts of its width and height.
const [LEFT, TOP, WIDE, HIGH] = [0.0509, 0.0206, 0.8982, 0.9021];

let at = ""; // the room whose card is shown
let tapped = false; // it stays until the next tap
let goal = ""; // the room to enter once the picked die moves

const REST = 350; // ms
let resting = 0; // timer of a finger on the drawing
let read = false; // it has rested: lifting it is no tap

const drawing = () => document.querySelector(".drawing");
const words = (room) => document.querySelector(`#map-in-words [data-room="${room}"]`);

function roomAt(event) {
  const box = drawing().getBoundingClientRect();
  const column = Math.floor((((event.clientX - box.x) / box.width - LEFT) / WIDE) * COLUMNS.length);
  const down = Math.floor((((event.clientY - box.y) / box.height - TOP) / HIGH) * ROWS.length);
  const row = ROWS[ROWS.length - 1 - down];
  return COLUMNS[column] && row ? COLUMNS[column] + row : "";
}

function show(room) {
  at = room;
  const text = room && words(room);
  const old = document.querySelector(".room-card");
  document.querySelector(".marked")?.remove();
  if (!text) return void old?.remove();
  const card = old ?? document.createElement("output");
  const row = ROWS.indexOf(room[1]);
  card.className = row < ROWS.length / 2 ? "room-card above" : "room-card";
  card.innerHTML = text.innerHTML;
  const mark = document.createElement("span");
  mark.className = "marked";
  Object.assign(mark.style, {
    left: `${(LEFT + (WIDE * COLUMNS.indexOf(room[0])) / COLUMNS.length) * 100}%`,
    top: `${(TOP + (HIGH * (ROWS.length - 1 - row)) / ROWS.length) * 100}%`,
    width: `${(WIDE / COLUMNS.length) * 100}%`,
    height: `${(HIGH / ROWS.length) * 100}%`,
  });
  drawing().append(mark);
  if (!old) drawing().append(card);
}

document.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "mouse" || tapped) return;
  const room = event.target.closest?.(".drawing") ? roomAt(event) : "";
  if (room !== at) show(room);
});

document.addEventListener("pointerdown", (event) => {
  read = false;
  if (event.pointerType === "mouse" || !event.target.closest(".drawing")) return;
  resting = setTimeout(() => {
    const room = roomAt(event);
    read = tapped = room !== "";
    show(room);
  }, REST);
});
for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => clearTimeout(resting));
document.addEventListener("contextmenu", (event) => read && event.preventDefault());

// Whether the picked die moves towards this room.
function move(room) {
  const die = document.querySelector(".pick :checked:enabled")?.value;
  const button = document.querySelector(`.uses[data-die="${die}"] [value="move ${die}"]`);
  if (!button || !document.querySelector(`[data-near="${room}"]`)) return false;
  show("");
  goal = room;
  button.click();
  return true;
}

// The items that another die could craft are folded again: while they are open, a phone shows them instead of the map.
document.addEventListener("change", (event) => {
  if (event.target.name !== "die") return;
  for (const crafts of document.querySelectorAll(".crafts[open]")) crafts.open = false;
});

document.addEventListener("click", (event) => {
  if (read && event.detail) {
    read = false;
    event.preventDefault();
  } else if (!event.target.closest(".drawing")) {
    if (at) show("");
    tapped = false;
  } else if (!event.target.closest("button") && event.detail) {
    const room = roomAt(event);
    if (move(room)) return;
    tapped = room !== "" && !(tapped && room === at);
    show(tapped ? room : "");
  }
});

document.addEventListener("focusin", (event) => {
  const room = event.target.closest(".targets button")?.dataset.room;
  if (room) show(room);
});
document.addEventListener("focusout", (event) => {
  if (event.target.closest(".drawing") && !tapped) show("");
});

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && at) show("");
  const step = STEPS[event.key];
  if (!step || event.target !== drawing()) return;
  event.preventDefault();
  const from = at || "C1";
  const column = Math.min(Math.max(COLUMNS.indexOf(from[0]) + (at ? step[0] : 0), 0), COLUMNS.length - 1);
  const row = Math.min(Math.max(ROWS.indexOf(from[1]) + (at ? step[1] : 0), 0), ROWS.length - 1);
  show(COLUMNS[column] + ROWS[row]);
});

// A swap draws the map anew, without the card.
document.addEventListener("htmx:after:swap", () => {
  if (at) show(tapped ? at : "");
  const step = goal && document.getElementById(`r-${goal}`);
  if (!step) return;
  goal = "";
  step.click();
});
