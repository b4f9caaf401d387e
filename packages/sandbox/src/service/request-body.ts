import { Refusal, refuse } from "./refusal.ts";

/** Refuses a body of another media type than the operation's, or of another character set than UTF-8. */
function checkMediaType(headers: Headers, expected: string): void {
  const [given = "", ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const [wanted = ""] = expected.toLowerCase().split(";");
  if (given.trim() !== wanted) throw refuse(415, "wrongMediaType", `The body must be sent as ${expected}`);
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("charset="));
  if (charset && charset.slice(8).replaceAll('"', "") !== "utf-8") throw refuse(415, "wrongMediaType", "The body must be encoded in UTF-8");
}

/** Reads a body as bytes, up to a bound. */
export async function readBytes(request: Request, mostBytes: number): Promise<Uint8Array> {
  const tooLarge = () => refuse(413, "tooLarge", `The body may have at most ${mostBytes} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > mostBytes) throw tooLarge();
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > mostBytes) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : refuse(400, "malformed", "The body broke off");
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** A request's body: a JSON value, or the fields of a form. */
export async function readBody(request: Request, expected: string, mostBytes: number): Promise<unknown> {
  checkMediaType(request.headers, expected);
  const bytes = await readBytes(request, mostBytes);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse(400, "malformed", "The body is not valid UTF-8");
  }
  if (expected.startsWith("application/x-www-form-urlencoded")) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(400, "malformed", "The body is not valid JSON");
  }
}

/** A JSON object's own fields; anything else is refused. */
export function objectFields(body: unknown): Readonly<Record<string, unknown>> {
  if (typeof body !== "object" || body === null || Array.isArray(body)) throw refuse(400, "malformed", "The body must be a JSON object");
  return body as Record<string, unknown>;
}
