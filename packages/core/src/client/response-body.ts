/** Reads a response body chunk by chunk. */
export interface BodyReader {
  /** The next chunk; undefined at the end. Throws if the connection breaks. */
  read(): Promise<Uint8Array | undefined>;
  /** Discards the rest and closes the connection. Ends a pending read. */
  cancel(): void;
  /** Decodes a part of the body that ends between two characters. */
  decode(bytes: Uint8Array): string;
}

/**
 * Decodes text that is not UTF-8 in its declared charset. Text that is UTF-8 stays UTF-8 whatever is declared, because some servers declare their framework's
 * default. Without a known charset, invalid bytes are replaced.
 */
function textDecoder(contentType: string | null): BodyReader["decode"] {
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const declared = () => {
    try {
      return new TextDecoder(/charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType ?? "")?.[1], { ignoreBOM: true });
    } catch {
      return new TextDecoder("utf-8", { ignoreBOM: true });
    }
  };
  return (bytes) => {
    try {
      return utf8.decode(bytes);
    } catch {
      return declared().decode(bytes);
    }
  };
}

/** Opens a response body. `connection` is the controller whose abort ends the request. */
export async function openBody(response: Response, connection: AbortController): Promise<BodyReader> {
  const decode = textDecoder(response.headers.get("content-type"));
  if (!response.body) {
    // The body is empty, or this runtime does not stream bodies.
    let rest: Uint8Array | undefined = new Uint8Array(await response.arrayBuffer());
    const read = async () => {
      const all = rest;
      rest = undefined;
      return all;
    };
    return { read, cancel: () => connection.abort(), decode };
  }
  const reader = response.body.getReader();
  return {
    async read() {
      const { done, value } = await reader.read();
      return done ? undefined : value;
    },
    cancel() {
      connection.abort();
      // Not every fetch closes the body when the request is aborted.
      reader.cancel().catch(() => {});
    },
    decode,
  };
}

/** A list of 100,000 vehicles with all their fields takes 145 MB. */
export const DEFAULT_MAX_RESPONSE_BYTES = 256 * 1024 * 1024;
// A larger body would not fit into a string.
const MAX_STRING_BYTES = 512 * 1024 * 1024 - 64;

/** What is wrong with a value of `maxResponseBytes`, if anything. */
export function maxResponseBytesProblem(bytes: number): string | undefined {
  const isValid = Number.isInteger(bytes) && bytes > 0 && bytes <= MAX_STRING_BYTES;
  return isValid ? undefined : `must be a whole number of bytes, from 1 to ${MAX_STRING_BYTES}`;
}

/**
 * Reads a whole body. Returns undefined and discards the rest if it exceeds `maxBytes`. Takes half the time and memory of `arrayBuffer()` on Node 20.
 */
export async function readAll(body: BodyReader, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (let chunk = await body.read(); chunk !== undefined; chunk = await body.read()) {
    length += chunk.length;
    if (length > maxBytes) {
      body.cancel();
      return undefined;
    }
    chunks.push(chunk);
  }
  const [only] = chunks;
  if (only && chunks.length === 1) return only;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}
