// Stateless randomness: every draw hashes a seed, a topic and up to three whole numbers, so responses do not depend on earlier requests.

function stir(hash: number, value: number): number {
  let mixed = Math.imul(value | 0, 0xcc9e2d51);
  mixed = (mixed << 15) | (mixed >>> 17);
  mixed = hash ^ Math.imul(mixed, 0x1b873593);
  mixed = (mixed << 13) | (mixed >>> 19);
  return (Math.imul(mixed, 5) + 0xe6546b64) | 0;
}

/** Hashes up to five whole numbers to 32 bits (murmur3). */
export function scramble(seed: number, topic: number, a = 0, b = 0, c = 0): number {
  let hash = stir(stir(stir(stir(stir(0x2f6b1c57, seed), topic), a), b), c);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Hashes a string, for topics and seeds. */
export function topic(words: string): number {
  let hash = 0;
  for (let at = 0; at < words.length; at++) hash = stir(hash, words.charCodeAt(at));
  return scramble(hash, words.length);
}

/** A number from 0 (inclusive) to 1 (exclusive). */
export function draw(seed: number, about: number, a = 0, b = 0, c = 0): number {
  return scramble(seed, about, a, b, c) / 4294967296;
}

/** A number from `low` (inclusive) to `high` (exclusive). */
export function drawBetween(low: number, high: number, seed: number, about: number, a = 0, b = 0, c = 0): number {
  return low + (high - low) * draw(seed, about, a, b, c);
}

/** A whole number from 0 (inclusive) to `count` (exclusive). */
export function drawIndex(count: number, seed: number, about: number, a = 0, b = 0, c = 0): number {
  return Math.floor(draw(seed, about, a, b, c) * count);
}

/** The entry of a non-empty list at `index`, wrapping around. */
export function entry<T>(list: readonly T[], index: number): T {
  const found = list[((index % list.length) + list.length) % list.length];
  if (found === undefined) throw new RangeError("Cannot choose from an empty list");
  return found;
}

const ALPHABET = [..."0123456789abcdefghijklmnopqrstuvwxyz"];
const PAIRS = ALPHABET.flatMap((second) => ALPHABET.map((first) => first + second));

/** An identifier of lower-case letters and digits that starts with a letter. */
export function identifier(length: number, seed: number, about: number, a = 0, b = 0): string {
  let text = ALPHABET[10 + (scramble(seed, about, a, b, -1) % 26)] ?? "";
  for (let block = 0; text.length < length; block++) {
    let bits = scramble(seed, about, a, b, block);
    for (let pair = 0; pair < 3; pair++) {
      text += PAIRS[bits % 1296];
      bits = Math.floor(bits / 1296);
    }
  }
  return text.slice(0, length);
}
