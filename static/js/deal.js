// What this browser has noted of a table's deals: the numbers (salt) that it has pledged, and what it was shown before it
// sent them. A note stays, also of a deal that was called off: check.js compares all of them with the log.
import { sha256 } from "./digest.js";
import { local } from "./store.js";

const MOST = 100; // notes of one table

export const pledgeTo = (commitment, salt) => sha256(JSON.stringify(["facedown salt", commitment, salt]));

// The notes, the oldest first. `plays`: the number of the game that the deal was for. `salt`: what this browser pledged, or
// null. `pledges`: those of all seats when the salts were asked for; null if this browser was never asked. `own`: what its
// seat had pledged by then: "mine" this salt, "other" one of another device, "" nothing.
export function notedDeals(token) {
  const found = [JSON.parse(local.get(`deal ${token}`) ?? "[]")].flat(); // version 0.1.0 kept one note, without `own`
  return found.map((one) => ({ own: one.salt ? "mine" : "", ...one }));
}

const find = (token, commitment) => notedDeals(token).find((one) => one.commitment === commitment);

function note(token, commitment, more) {
  const all = notedDeals(token);
  const known = all.find((one) => one.commitment === commitment);
  if (known) Object.assign(known, more);
  else all.push({ commitment, salt: null, pledges: null, own: "", ...more });
  local.set(`deal ${token}`, JSON.stringify(all.slice(-MOST)));
}

// The salt that this browser has pledged for the deal with this commitment; null if there is none.
export const pledgedSalt = (token, commitment) => find(token, commitment)?.salt ?? null;

// Notes a salt to be pledged. Returns false if the browser stores nothing.
export function keepSalt(token, plays, commitment, salt) {
  note(token, commitment, { plays, salt });
  return pledgedSalt(token, commitment) === salt;
}

// Notes what is shown when the salts are asked for; it stays as it was first shown. `mine`: the pledge of the own seat.
export function noteDeal(token, plays, commitment, pledges, mine) {
  const known = find(token, commitment);
  if (known?.pledges) return;
  const same = mine && known?.salt && pledgeTo(commitment, known.salt) === mine;
  note(token, commitment, { plays, pledges, own: same ? "mine" : mine ? "other" : "" });
}
