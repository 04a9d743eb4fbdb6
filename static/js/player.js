// Plays reveals: the cards turn together, then their effects appear beat by beat. All other fragments wait until the end,
// so that nothing on the page shows the effect of a later beat early. A chain, which grows with each step of a turn, is told
// beside the table: only its new beats are played, and not on the page of the player who made them.
import { session } from "./store.js";
import { begin, hasFocus, holdFocus, tell } from "./told.js";

const START = 60; // the backs are visible before they turn
const MOST = 3; // reveals in the queue; older ones are only in the log

const body = document.body;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const HAND = body.matches(".face-hand"); // beside a screen: it shows no beats
// queue of {owner, held: Map of fragment id to html, chain: whether it is one, from: beats told before}; the first is being played
const batches = [];
let newest = stageOf(document)?.dataset.reveal ?? "0";
let told = Number(stageOf(document)?.dataset.beats ?? 0); // beats of the newest reveal that have been told, or wait for it
let applying = false;
let hurry = null; // ends the current pause
let skips = 0; // skips requested: the first shows all beats, the second ends the reveal
let restart = false;
let staying = false; // everything has been shown; the reveal ends when the player goes on, or when another one comes

function stageOf(root) {
  return root.querySelector("[data-reveal]");
}

function isChain(stage = stageOf(document)) {
  return stage?.dataset.chain !== undefined;
}

// ---------- incoming fragments ----------

document.addEventListener("htmx:before:swap", (event) => {
  if (applying) return;
  const { tasks } = event.detail;
  const came = new Map();
  for (const task of tasks) {
    const element = [...(task.fragment?.children ?? [])].find((child) => child.id?.startsWith("f-"));
    if (element && element.id !== "f-notice") came.set(element.id, element);
  }
  const owner = [...came.values()].find((element) => stageOf(element));
  const stage = owner && stageOf(owner);
  const chain = isChain(stage);
  const beats = Number(stage?.dataset.beats);
  const same = stage?.dataset.reveal === newest;
  const isNew = stage && Number(stage.dataset.reveal) > 0 && (!same || (chain && beats > told));
  const from = same ? told : 0;
  if (stage) [newest, told] = [stage.dataset.reveal, beats];
  const plays = isNew && beats > 0 && !(chain && stage.dataset.chain === body.dataset.me);
  if (!plays && !batches.length) return remember();
  for (let i = tasks.length - 1; i >= 0; i--) {
    if ([...(tasks[i].fragment?.children ?? [])].some((child) => came.has(child.id))) tasks.splice(i, 1);
  }
  const grows = batches.length > 1 && chain && same && batches.at(-1).chain;
  if (plays && !grows) batches.push({ owner: owner.id, held: new Map(), chain, from });
  const { held } = batches.at(-1);
  for (const beat of plays && chain ? owner.querySelectorAll("[data-beat]") : []) {
    if (Number(beat.dataset.beat) <= batches.at(-1).from) beat.classList.add("landed");
  }
  // A reveal without a stage (a card of open play) must not replace one that is still to be played.
  for (const [id, element] of came) if (plays || chain || element !== owner) held.set(id, element.outerHTML);
  while (batches.length > MOST) leaveOut();
  if (plays && batches.length === 1) playAll();
  else if (plays && staying) skip();
});

// Drops the oldest reveal in the queue; its other fragments move to the next one, unless that has newer versions.
function leaveOut() {
  const [{ owner, held }] = batches.splice(1, 1);
  const next = batches[1].held;
  for (const [id, html] of held) if (id !== owner && !next.has(id)) next.set(id, html);
}

async function playAll() {
  const before = document.activeElement;
  while (batches.length) {
    const { owner, held, chain, from } = batches[0];
    skips = 0;
    if (!chain) stageOf(document).hidden = true; // hide the previous stage; the swap brings the new one, which is visible
    body.classList.toggle("playing", !chain);
    body.classList.toggle("following", chain);
    const html = held.get(owner);
    held.delete(owner); // a newer one may come meanwhile, when a step is taken back
    await apply(owner, html);
    await play(from);
    if (batches.length === 1) body.classList.remove("playing", "following");
    await applyAll(held);
    batches.shift();
    remember();
  }
  comeBack(before);
}

async function apply(id, html) {
  if (!html || !document.getElementById(id)) return;
  applying = true;
  try {
    await htmx.swap({ sourceElement: body, target: `#${id}`, swap: "outerMorph", text: html });
  } finally {
    applying = false;
  }
}

// Fragments that arrive during this loop are applied too, even if an older version of the same fragment was already applied.
async function applyAll(held) {
  while (held.size) {
    const [[id, html]] = held;
    held.delete(id);
    await apply(id, html);
  }
}

function remember() {
  session.set(`seen ${body.dataset.token} ${body.dataset.plays}`, newest);
}

// ---------- playing ----------

async function play(from = 0) {
  do {
    if (restart) [skips, from] = [0, 0];
    restart = false;
    await (isChain() ? follow(from) : once());
  } while (restart);
}

async function follow(from) {
  const stage = stageOf(document);
  for (const one of stage.querySelectorAll("[data-beat]")) {
    one.classList.toggle("landed", Number(one.dataset.beat) <= from);
  }
  begin();
  if (!from) tell(stage, 0);
  for (let i = from + 1; i <= Number(stage.dataset.beats) && !restart; i++) {
    await pause(time("--d-beat"));
    land(stage, i);
  }
}

async function once() {
  const stage = stageOf(document);
  const table = stage.querySelector(".stage");
  if (!table) return;
  const beats = Number(stage.dataset.beats);
  for (const landed of stage.querySelectorAll(".landed")) landed.classList.remove("landed");
  table.classList.remove("turning", "turned");
  begin();
  holdFocus();
  await pause(START);
  table.classList.add("turning");
  await pause(time("--d-turn"));
  land(stage, 0);
  for (let i = 1; i <= beats && !restart; i++) {
    await pause(i === 1 ? time("--d-beat") * 0.4 : time("--d-beat"));
    land(stage, i);
  }
  table.classList.replace("turning", "turned");
  if (restart) return;
  if (!HAND) skips = Math.max(0, skips - 1); // a player who skipped the beats still gets to see the end
  staying = "stay" in stage.dataset && !body.matches(".face-screen") && batches.length < 2;
  await pause(staying ? Infinity : time("--d-hold"));
  staying = false;
}

function land(stage, beat) {
  for (const element of stage.querySelectorAll(`[data-beat="${beat}"], [data-then="${beat}"]`)) {
    element.classList.add("landed");
    if ("view" in element.dataset)
      element.scrollIntoView({ block: "nearest", behavior: calm.matches ? "auto" : "smooth" });
  }
  tell(stage, beat);
}

function pause(time) {
  if (skips) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = time < Infinity ? setTimeout(resolve, time) : 0;
    hurry = () => {
      clearTimeout(timer);
      resolve();
    };
  });
}

function time(token) {
  const text = getComputedStyle(document.documentElement).getPropertyValue(token);
  return parseFloat(text) * (text.trim().endsWith("ms") ? 1 : 1000);
}

// The first click, tap or key shows all beats; the next one ends the reveal. On a hand beside a screen only the button
// ends the wait: a touch by accident would tell what the screen has yet to show.
function skip() {
  skips++;
  hurry?.();
}

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-again]")) return void again();
  if (!body.matches(".playing, .following")) return;
  const anywhere = !HAND && !event.target.closest("a, button, summary, .sheet, input, label");
  if (event.target.closest("[data-go]") || anywhere) skip();
});

document.addEventListener("keydown", (event) => {
  if (!body.matches(".playing, .following") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (!["Enter", " ", "Escape", "ArrowRight"].includes(event.key)) return;
  const on = event.target.closest("a, button, summary, input, .sheet");
  if (on?.checkVisibility() && event.key !== "Escape") return; // a visible control handles the key itself
  event.preventDefault();
  skip();
});

// Plays the last reveal again.
async function again() {
  if (batches.length) {
    restart = true;
    return skip();
  }
  const before = document.activeElement;
  batches.push({ owner: "", held: new Map() });
  skips = 0;
  body.classList.add(isChain() ? "following" : "playing");
  await play();
  body.classList.remove("playing", "following");
  await applyAll(batches[0].held);
  batches.shift();
  if (batches.length) return playAll();
  comeBack(before);
}

// Restores the focus: the stage hid the focused element.
function comeBack(before) {
  const now = document.activeElement;
  if (now && now !== body && !hasFocus() && now.checkVisibility?.()) return;
  const same =
    before?.isConnected && before.checkVisibility?.() ? before : before?.id && document.getElementById(before.id);
  (same && same !== body ? same : document.querySelector("#ask"))?.focus({ preventScroll: true });
}

// Plays a reveal that arrived with the end of the game or during loading.
if (body.matches(".playing, .following")) again(); // set by unseen.js
remember();
