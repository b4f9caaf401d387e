/** Reads the body of an answer piece by piece. */
export interface BodyReader {
  /** The next bytes; undefined at the end. Throws where the connection breaks. */
  read(): Promise<Uint8Array | undefined>;
  /** Gives up what is left, and the connection with it. A read that waits then ends. */
  cancel(): void;
}

/** Opens a body; `connection` is what its request can be ended by. */
export async function openBody(response: Response, connection: AbortController): Promise<BodyReader> {
  if (!response.body) {
    // Nothing came, or this runtime gives bodies in one piece only.
    let rest: Uint8Array | undefined = new Uint8Array(await response.arrayBuffer());
    const read = async () => {
      const all = rest;
      rest = undefined;
      return all;
    };
    return { read, cancel: () => connection.abort() };
  }
  const reader = response.body.getReader();
  return {
    async read() {
      const { done, value } = await reader.read();
      return done ? undefined : value;
    },
    cancel() {
      connection.abort();
      // Not every fetch ends the body with the connection.
      reader.cancel().catch(() => {});
    },
  };
}

/** Bytes of a response that are read at once, decompressed, unless a client is told otherwise: a list of 100,000 vehicles with all of their fields takes 145 MB. */
export const DEFAULT_MAX_RESPONSE_BYTES = 256 * 1024 * 1024;
// One string can hold no more.
const MOST = 512 * 1024 * 1024 - 64;

/** What is wrong with a ceiling of responses, if anything. */
export function maxResponseBytesProblem(bytes: number): string | undefined {
  return Number.isInteger(bytes) && bytes > 0 && bytes <= MOST ? undefined : `must be a whole number of bytes, from 1 to ${MOST}`;
}

/** Gives up a body that is not wanted, and its connection with it. */
export function dropBody(response: Response, connection: AbortController): void {
  connection.abort();
  response.body?.cancel().catch(() => {});
}

/**
 * All bytes of a body, or undefined where there are more than `most`; the rest is then given up. Made of its pieces at once, which takes half the
 * time and memory of `arrayBuffer()` on Node 20.
 */
export async function readAll(body: BodyReader, most: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let piece = await body.read(); piece !== undefined; piece = await body.read()) {
    length += piece.length;
    if (length > most) {
      body.cancel();
      return undefined;
    }
    pieces.push(piece);
  }
  const [only] = pieces;
  if (only && pieces.length === 1) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
