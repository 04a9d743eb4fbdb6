// Checks a game's log in this browser, without the server: the seed, every sealed answer, and the deal that the browser was
// shown before the start. docs/proof.md describes what is checked.
import { notedDeals, pledgeTo } from "./deal.js";
import { hmac, sha256 } from "./digest.js";

const HEX = /^([0-9a-f]{2})*$/;
// The fields of each line that this checks, in order; the second list may be left out.
const FIELDS = {
  log: [["kind", "facedown", "names"], []],
  began: [["kind", "key", "rules", "seats", "options", "commitment", "salts"], []],
  revealed: [["kind", "round", "answers"], ["scope"]],
  any_time: [["kind", "round", "seat", "move"], ["by"]],
  stepped_back: [["kind", "round", "seat", "taken", "scope"], []],
  opened: [["kind", "seed", "kept"], []],
};
const ANSWER = [["seat", "words", "nonce", "digest", "kept"], ["by"]];
const KEPT = [["round", "seat", "words", "nonce", "digest"], []];

class Wrong extends Error {}

function need(holds) {
  if (!holds) throw new Wrong();
}

function needFields(value, [must, may]) {
  const names = Object.keys(value);
  need(must.every((name, i) => names[i] === name) && names.slice(must.length).every((name) => may.includes(name)));
}

const isSalt = (text) => typeof text === "string" && text.length <= 128 && HEX.test(text);

// Returns `{ line, began, mixed }`: the first line, from 1, that does not hold, or 0; the beginning; the seed of all chance.
export function checkLog(text) {
  const check = { line: 0, began: null, mixed: "" };
  const state = { round: 1, kept: new Map(), ended: false };
  try {
    const lines = text.replace(/\n$/, "").split("\n");
    for (const line of lines) {
      check.line++;
      checkLine(line, check, state);
    }
    check.line++;
    need(check.mixed);
    check.line = 0;
  } catch (error) {
    if (!(error instanceof Wrong || error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  return check;
}

function checkLine(text, check, state) {
  const line = JSON.parse(text);
  need(!check.mixed); // nothing follows the end
  const known = Object.hasOwn(FIELDS, line.kind);
  if (known) {
    needFields(line, FIELDS[line.kind]);
    need(JSON.stringify(line) === text);
  }
  need((check.line === 1) === (line.kind === "log") && (check.line === 2) === (line.kind === "began"));
  if (state.ended) need(line.kind === "opened");
  if (known) CHECKS[line.kind](line, check, state);
  else if (line.kind === "result") state.ended = true;
}

const CHECKS = {
  log: (line) => need(line.facedown === 1),
  began(line, check) {
    need(line.salts.length === line.seats && line.salts.every(isSalt));
    check.began = line;
  },
  revealed(line, check, state) {
    need(line.round === state.round++);
    for (const answer of line.answers) {
      needFields(answer, ANSWER);
      need(seal(check.began.commitment, line.round, answer) === answer.digest);
      if (answer.kept) state.kept.set(`${line.round} ${answer.seat}`, answer.kept);
    }
  },
  any_time: (line, _, state) => need(line.round === state.round),
  stepped_back: (line, _, state) => need(line.round === state.round++),
  opened(line, check, state) {
    need(state.ended && /^[0-9a-f]{64}$/.test(line.seed));
    need(sha256(JSON.stringify(["facedown seed", line.seed])) === check.began.commitment);
    for (const kept of line.kept) {
      needFields(kept, KEPT);
      const key = `${kept.round} ${kept.seat}`;
      need(state.kept.get(key) === kept.digest && seal(check.began.commitment, kept.round, kept) === kept.digest);
      state.kept.delete(key);
    }
    need(state.kept.size === 0);
    check.mixed = hmac(line.seed, JSON.stringify(["facedown deal", ...check.began.salts]));
  },
};

function seal(commitment, round, { seat, words, nonce }) {
  return sha256(JSON.stringify(["facedown move", commitment, round, seat, words, nonce]));
}

// Whether the game began with the deal that this browser was shown: the commitment, and for each pledge its salt.
export function isDeal({ commitment, salts }, noted) {
  const due = salts.map((salt) => (salt ? pledgeTo(commitment, salt) : ""));
  return commitment === noted.commitment && JSON.stringify(due) === JSON.stringify(noted.pledges);
}

// What to say of the log of this table's game number `plays`: keys of parts/checked.html. A browser that has notes of the
// table answers for a log only if they agree with it.
export function verdict(check, notes, plays) {
  if (check.line) return ["wrong"];
  if (!notes.length) return ["holds", "unknown", "rest"];
  const noted = notes.find((one) => one.commitment === check.began.commitment);
  if (!noted) return [notes.some((one) => one.plays === plays) ? "other" : "another"];
  if (!noted.pledges) return ["left"];
  if (!isDeal(check.began, noted)) return ["other"];
  const kept = noted.salt || notes.some((one) => one.plays === noted.plays && one.salt);
  if (kept && !noted.own) return ["left"];
  const whose = { mine: ["mine"], other: kept ? ["replaced"] : [] }[noted.own] ?? [];
  return ["holds", "same", ...whose, ...(countCalledOff(check, notes) ? ["off"] : []), "rest"];
}

// Deals for the same game with another seed: the table draws one only when a deal is called off.
function countCalledOff({ began }, notes) {
  const plays = notes.find((one) => one.commitment === began?.commitment)?.plays;
  return notes.filter((one) => one.plays === plays && one.commitment !== began.commitment).length;
}

const { token, plays } = document.body.dataset;
document.querySelector("[data-check]")?.addEventListener("click", async ({ target }) => {
  const box = document.querySelector(".checked");
  let says = ["none"];
  try {
    const answer = await fetch(target.dataset.check);
    if (answer.ok) {
      const check = checkLog(await answer.text());
      box.querySelector("[data-line]").textContent = check.line;
      box.querySelector("[data-mixed]").textContent = check.mixed;
      const notes = notedDeals(token);
      box.querySelector("[data-off]").textContent = countCalledOff(check, notes);
      says = verdict(check, notes, Number(plays));
    }
  } catch (error) {
    console.error(error);
  }
  for (const one of box.querySelectorAll("[data-says]")) one.hidden = !says.includes(one.dataset.says);
  box.hidden = false;
});
