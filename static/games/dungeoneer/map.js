// The map: dragging and pinching move and enlarge it, as do the buttons and the wheel. The map of the table and the choices over
// it follow three custom properties of the page, so a swap of either moves nothing. Arrow keys go from location to location.
const root = document.documentElement;
const view = () => document.querySelector(".map-view");
const [LEAST, MOST] = [1, 6];
const EDGE = { side: 12, top: 28, bottom: 52 }; // px of the map that lie under words and buttons
const [SMALL, WIDE] = [640, 150]; // px: a view in which the whole map is too small; a location there
let at = { zoom: 1, x: 0, y: 0 };
let shown = { ...at };
let own = false; // moved by the player: the map does not follow the hero

function apply() {
  const box = view();
  if (!box) return;
  const { offsetWidth: width, offsetHeight: height } = box.querySelector(".delve");
  const fit = at.zoom / shown.zoom;
  const reach = (size, all) => Math.max(0, (all * fit - size) / 2) + size / 3;
  at.x = Math.max(-reach(box.clientWidth, width), Math.min(reach(box.clientWidth, width), at.x));
  at.y = Math.max(-reach(box.clientHeight, height), Math.min(reach(box.clientHeight, height), at.y));
  describe(width * fit);
  if (at.zoom === shown.zoom && at.x === shown.x && at.y === shown.y) return; // the whole page inherits them
  root.style.setProperty("--map-zoom", at.zoom);
  root.style.setProperty("--map-x", `${at.x}px`);
  root.style.setProperty("--map-y", `${at.y}px`);
  shown = { ...at };
}

// How large a location is in a map as wide as this, for what can be written in it.
function describe(width) {
  const { columns } = view().querySelector(".delve").dataset;
  const wide = width / Number(columns) / parseFloat(getComputedStyle(root).fontSize);
  const signs = document.body.matches(".face-screen") && wide < 8.5; // on a TV letters do not shrink with the map
  root.dataset.zoom = wide < 5.5 ? "far" : signs ? "signs" : wide < 11 ? "mid" : "near";
}

// Enlarges around a point of the view, measured from its middle.
function zoomTo(zoom, x = 0, y = 0) {
  const next = Math.max(LEAST, Math.min(MOST, zoom));
  const by = next / at.zoom;
  at = { zoom: next, x: x + (at.x - x) * by, y: y + (at.y - y) * by };
  apply();
}

// Brings a cell into the middle, and enlarges around it.
function centre(cell, zoom = at.zoom) {
  const [box, there] = [view()?.getBoundingClientRect(), cell?.getBoundingClientRect()];
  if (!box) return;
  if (there) {
    at.x += (box.left + box.right - there.left - there.right) / 2;
    at.y += (box.top + box.bottom - there.top - there.bottom) / 2;
  }
  zoomTo(zoom);
}

const hero = () => document.querySelector(`.map-view .pawn[data-seat="${document.body.dataset.me}"]`)?.closest(".cell");

// Small windows show the surroundings of the hero, others and the TV the whole map.
function start() {
  const cell = view()?.querySelector(".cell");
  if (!cell) return;
  const [wide, wanted] = [cell.offsetWidth / shown.zoom, Math.min(WIDE, view().clientWidth / 2.2)];
  const part = !document.body.matches(".face-screen") && view().clientWidth < SMALL && wide < wanted;
  at = part && hero() ? { ...shown } : { zoom: 1, x: 0, y: 0 };
  if (part) centre(hero(), wanted / wide);
  else apply();
}

const BUTTONS = {
  in: () => zoomTo(at.zoom * 1.4),
  out: () => zoomTo(at.zoom / 1.4),
  all: () => {
    at = { zoom: 1, x: 0, y: 0 };
    apply();
  },
  me: () => centre(hero()),
};
document.addEventListener("click", (event) => {
  const does = BUTTONS[event.target.closest?.("[data-map]")?.dataset.map];
  if (!does) return;
  own = true;
  does();
});

// ---------- pointers ----------

const pointers = new Map();
let dragged = 0; // pixels since the pointer went down: a drag is no click

document.addEventListener("pointerdown", (event) => {
  if (!event.target.closest?.(".map-view")) return;
  if (!pointers.size) dragged = 0;
  pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
});
document.addEventListener("pointermove", (event) => {
  const last = pointers.get(event.pointerId);
  if (!last) return;
  const now = { x: event.clientX, y: event.clientY };
  const other = [...pointers.entries()].find(([id]) => id !== event.pointerId)?.[1];
  const before = { ...at };
  dragged += Math.hypot(now.x - last.x, now.y - last.y);
  if (other) {
    const box = view().getBoundingClientRect();
    const middle = [(now.x + other.x) / 2 - box.x - box.width / 2, (now.y + other.y) / 2 - box.y - box.height / 2];
    zoomTo(
      (at.zoom * Math.hypot(now.x - other.x, now.y - other.y)) / Math.hypot(last.x - other.x, last.y - other.y),
      ...middle,
    );
  } else {
    at = { ...before, x: before.x + now.x - last.x, y: before.y + now.y - last.y };
    apply();
  }
  pointers.set(event.pointerId, now);
  if (dragged > 6) own = true;
});
for (const end of ["pointerup", "pointercancel"])
  document.addEventListener(end, (event) => pointers.delete(event.pointerId));
document.addEventListener(
  "click",
  (event) => {
    if (dragged > 6 && event.target.closest?.(".map-view")) {
      event.preventDefault();
      event.stopPropagation();
    }
  },
  true,
);
document.addEventListener(
  "wheel",
  (event) => {
    if (!event.target.closest?.(".map-view")) return;
    event.preventDefault();
    own = true;
    const box = view().getBoundingClientRect();
    zoomTo(
      at.zoom * 1.0015 ** -event.deltaY,
      event.clientX - box.x - box.width / 2,
      event.clientY - box.y - box.height / 2,
    );
  },
  { passive: false },
);

// ---------- what is chosen ----------

const chosen = () => document.querySelector("#hand input[name=move]:checked");

// Labels of the chosen radio button, wherever they are, and its way on the map.
function mark() {
  for (const old of document.querySelectorAll(".sel")) old.classList.remove("sel");
  const radio = chosen();
  if (!radio) return;
  const first = radio.closest(".ways")?.querySelector("input") ?? radio;
  for (const label of [...first.labels].filter((one) => !one.closest(".ways"))) label.classList.add("sel");
  for (const label of radio.labels) label.classList.add("sel");
  document.querySelector(`[data-of="${radio.id}"]`)?.classList.add("sel");
}

// How far to move what lies from `low` to `high` so that it is between two edges.
const into = (low, high, [first, last]) => Math.max(first - low, Math.min(0, last - high));

// Brings the chosen location into sight, if the map shows but a part, below what is asked and above the buttons.
function follow() {
  const cell = [...(chosen()?.labels ?? [])].map((label) => label.closest(".cell")).find(Boolean);
  if (!cell || (!own && at.zoom === LEAST)) return;
  const [box, there] = [view().getBoundingClientRect(), cell.getBoundingClientRect()];
  at.x += into(there.left, there.right, [box.left + EDGE.side, box.right - EDGE.side]);
  at.y += into(there.top, there.bottom, [box.top + EDGE.top, box.bottom - EDGE.bottom]);
  apply();
}
function point() {
  mark();
  follow();
}
document.addEventListener("change", point);
addEventListener("load", point); // what had been chosen before a reload, which hand.js has chosen again

// ---------- keys ----------

const KEYS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// The nearest element in this direction; `where` gives the column and row of each.
function nearest(all, from, [dx, dy], where) {
  const [x, y] = where(from);
  let [best, least] = [null, Infinity];
  for (const one of all) {
    const [right, down] = [where(one)[0] - x, where(one)[1] - y];
    const [ahead, aside] = [right * dx + down * dy, Math.abs(right * dy) + Math.abs(down * dx)];
    if (ahead > 0 && ahead + 2 * aside < least) [best, least] = [one, ahead + 2 * aside];
  }
  return best;
}

const PLACE = '.offer[data-kind="place"]';

// Where an arrow leads from a choice on the map: up and down through the ways in which it can be done, then to the nearest
// location, and past the last one to the choices beside the map.
function neighbour(radio, step) {
  const place = radio.closest(PLACE);
  const ways = [...place.querySelectorAll("input")];
  const way = step[1] && ways[ways.indexOf(radio) + step[1]];
  if (way) return way;
  const other = nearest(document.querySelectorAll(PLACE), place, step, onGrid);
  if (other) return other.querySelector("input");
  const beside = document.querySelectorAll('#hand .offer:not([data-kind="place"]) input');
  return beside[Math.max(...step) > 0 ? 0 : beside.length - 1];
}

const onGrid = ({ dataset }) => [Number(dataset.x), Number(dataset.y)];
const inCells = (button) => {
  const { column, row } = button.closest(".cell").dataset;
  return [Number(column), Number(row)];
};

document.addEventListener("keydown", (event) => {
  const step = KEYS[event.key];
  const here = event.target.closest?.(PLACE);
  const read = event.target.closest?.(".map-view .readable");
  if (step && here) {
    const radio = neighbour(event.target, step);
    event.preventDefault();
    if (!radio) return;
    radio.checked = true;
    radio.focus();
    radio.dispatchEvent(new Event("change", { bubbles: true }));
  } else if (step && read) {
    const other = nearest(document.querySelectorAll(".map-view .readable"), read, step, inCells);
    if (!other) return;
    event.preventDefault();
    [read.tabIndex, other.tabIndex] = [-1, 0];
    if (at.zoom > 1) centre(other.closest(".cell"));
    other.focus({ preventScroll: true });
  } else if (here || read) {
    if (event.key === "+") BUTTONS.in();
    else if (event.key === "-") BUTTONS.out();
    else if (event.key === "Home") BUTTONS.me();
    else return;
    event.preventDefault();
  }
});

// One tab stop for all locations.
function oneStop() {
  const all = [...document.querySelectorAll(".map-view .readable")];
  const now = all.find((button) => button === document.activeElement) ?? hero()?.querySelector(".readable") ?? all[0];
  for (const button of all) button.tabIndex = button === now ? 0 : -1;
}

let stood = hero()?.id;
function settle() {
  mark();
  oneStop();
  apply();
  const tale = document.querySelector(".chain > .telling");
  if (tale) tale.scrollTop = tale.scrollHeight; // on a phone the newest line
  if (!own && hero()?.id !== stood && at.zoom > 1) centre(hero());
  stood = hero()?.id;
}
document.addEventListener("htmx:after:swap", settle);
addEventListener("resize", () => (own ? apply() : start()));
start();
settle();
