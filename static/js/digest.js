// SHA-256 and HMAC of texts, in hex. The browser's own are missing on plain http, as in a network at home.
import { hmac as keyed } from "../vendor/hmac.js";
import { sha256 as digest } from "../vendor/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "../vendor/utils.js";

export const sha256 = (text) => bytesToHex(digest(utf8ToBytes(text)));

// `key`: in hex.
export const hmac = (key, text) => bytesToHex(keyed(digest, hexToBytes(key), utf8ToBytes(text)));
