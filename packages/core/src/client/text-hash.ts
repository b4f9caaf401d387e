/** Hashes a string to two 32-bit numbers: FNV-1a with different primes. */
export function textHash(text: string): [number, number] {
  let [one, other] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 16_777_619);
    other = Math.imul(other ^ text.charCodeAt(at), 1_540_483_477);
  }
  return [one, other];
}
