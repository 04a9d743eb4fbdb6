// SHA-256 and HMAC of bytes, in hex. The browser's own are missing on plain http, as in a network at home.
const PRIMES = [];
for (let n = 2; PRIMES.length < 64; n++) if (PRIMES.every((p) => n % p)) PRIMES.push(n);
const fraction = (x) => Math.floor((x - Math.floor(x)) * 2 ** 32) | 0;
const START = PRIMES.slice(0, 8).map((p) => fraction(Math.sqrt(p)));
const ROUND = PRIMES.map((p) => fraction(Math.cbrt(p)));
const BLOCK = 64;

const turn = (word, by) => (word >>> by) | (word << (32 - by));

function digest(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length * 8);
  const hash = Int32Array.from(START);
  const words = new Int32Array(64);
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let i = 0; i < 64; i++) words[i] = i < 16 ? view.getInt32(at + 4 * i) : mixed(words, i);
    compress(hash, words);
  }
  const out = new DataView(new ArrayBuffer(32));
  hash.forEach((word, i) => void out.setInt32(4 * i, word));
  return new Uint8Array(out.buffer);
}

function mixed(words, i) {
  const early = words[i - 15];
  const late = words[i - 2];
  const one = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
  const two = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
  return (words[i - 16] + one + words[i - 7] + two) | 0;
}

function compress(hash, words) {
  let [a, b, c, d, e, f, g, h] = hash;
  for (let i = 0; i < 64; i++) {
    const right = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + right + ((e & f) ^ (~e & g)) + ROUND[i] + words[i]) | 0;
    const left = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (left + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i] += word;
}

const toHex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
const utf8 = (text) => new TextEncoder().encode(text);
const keyed = (bytes, pad, rest) => digest(Uint8Array.of(...bytes.map((b) => b ^ pad), ...rest));

export const sha256 = (text) => toHex(digest(utf8(text)));

// `key`: in hex, at most 64 bytes.
export function hmac(key, text) {
  const bytes = new Uint8Array(BLOCK);
  bytes.set(key.match(/../g).map((pair) => Number.parseInt(pair, 16)));
  return toHex(keyed(bytes, 0x5c, keyed(bytes, 0x36, utf8(text))));
}
