// What this browser knows of a table's deal: the salt that it has pledged, and what it was shown before it sent the salt.
import { sha256 } from "./digest.js";
import { local } from "./store.js";

export const pledgeTo = (commitment, salt) => sha256(JSON.stringify(["facedown salt", commitment, salt]));

const read = (key) => JSON.parse(local.get(key) ?? "null");

// The salt that this browser has pledged for the deal with this commitment; null if there is none.
export function pledgedSalt(token, commitment) {
  const found = read(`salt ${token}`);
  return found?.commitment === commitment ? found.salt : null;
}

// Stores a salt to be pledged. Returns false if the browser stores nothing.
export function keepSalt(token, commitment, salt) {
  local.set(`salt ${token}`, JSON.stringify({ commitment, salt }));
  return pledgedSalt(token, commitment) === salt;
}

// The newest deal: its number at this table, the commitment, the pledges of all seats, and the own salt, if there is one. It
// stays as it was first shown.
export function noteDeal(token, deal) {
  const known = notedDeal(token, deal.plays);
  if (known?.commitment !== deal.commitment) local.set(`deal ${token}`, JSON.stringify(deal));
}

export function notedDeal(token, plays) {
  const found = read(`deal ${token}`);
  return found?.plays === plays ? found : null;
}
