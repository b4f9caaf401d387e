import { connectionCause } from "../connection-failure.ts";
import { readUpTo, withTimeout } from "../limits.ts";
import { Unverifiable } from "./bearer-access.ts";

export const NOT_FOUND = "has no document at the expected address";

interface Bounds {
  timeout: number;
  maxBytes: number;
}

async function readText(response: Response, signal: AbortSignal, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  // Fetch may no longer observe its signal once the response has begun.
  signal.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true });
  const read = await readUpTo(maxBytes, reader);
  if (read !== undefined) return read.text();
  await reader.cancel();
  throw new Unverifiable(`sends more than ${maxBytes} bytes`);
}

/** Reads a JSON document of the authorization server. Throws {@link Unverifiable} if there is none within the bounds, which apply to headers and body together. */
export async function fetchJson(address: string, { timeout, maxBytes }: Bounds): Promise<unknown> {
  const read = async (signal: AbortSignal) => {
    const response = await fetch(address, { redirect: "error", headers: { accept: "application/json" }, signal });
    if (response.ok) return readText(response, signal, maxBytes);
    await response.body?.cancel();
    throw new Unverifiable(response.status === 404 ? NOT_FOUND : `responds with status ${response.status}`);
  };
  let text: string;
  try {
    text = await withTimeout(timeout, read);
  } catch (error) {
    throw error instanceof Unverifiable ? error : new Unverifiable("does not respond", connectionCause(error));
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Unverifiable("sends something other than JSON");
  }
}
