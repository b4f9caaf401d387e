import { Refusal, refuse } from "./refusal.ts";

/** Rejects a body with the wrong media type or a charset other than UTF-8. */
function checkMediaType(headers: Headers, expected: string): void {
  const [given = "", ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const [wanted = ""] = expected.toLowerCase().split(";");
  if (given.trim() !== wanted) throw refuse(415, "wrongMediaType", `The body must be sent as ${expected}`);
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("charset="));
  if (charset && charset.slice(8).replaceAll('"', "") !== "utf-8") throw refuse(415, "wrongMediaType", "The body must be encoded in UTF-8");
}

const MAX_BYTES = 1_048_576;

/** Reads a body as bytes, up to a limit. */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const tooLarge = () => refuse(413, "tooLarge", `The body may have at most ${MAX_BYTES} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BYTES) throw tooLarge();
  if (!request.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : refuse(400, "malformed", "The body was truncated");
  }
  return Buffer.concat(chunks);
}

/** Parses a body as JSON, or as the fields of a form. */
export async function readBody(request: Request, expected: string): Promise<unknown> {
  checkMediaType(request.headers, expected);
  const bytes = await readBytes(request);
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
