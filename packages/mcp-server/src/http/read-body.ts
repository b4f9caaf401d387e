import { MAX_MESSAGE_BYTES, readUpTo } from "../limits.ts";
import { INCOMPLETE, type Refusal } from "./refusal.ts";

const TOO_LARGE: Refusal = {
  status: 413,
  message: `Request body must not exceed ${MAX_MESSAGE_BYTES} bytes`,
  headers: { connection: "close" },
};

/** Reads the body of a request, up to the limit. Hono's body-limit cannot read chunked bodies unless the global Request is replaced. */
export async function readBody(request: Request): Promise<ArrayBuffer | Refusal> {
  const { headers } = request;
  const length = headers.has("transfer-encoding") ? null : headers.get("content-length");
  if (length !== null && Number(length) > MAX_MESSAGE_BYTES) return TOO_LARGE;
  try {
    if (length !== null) return await request.arrayBuffer();
    if (request.body === null) return new ArrayBuffer();
    // Cancelling a body that is too large would close the connection before the response is sent.
    const read = await readUpTo(MAX_MESSAGE_BYTES, request.body.getReader());
    return (await read?.arrayBuffer()) ?? TOO_LARGE;
  } catch {
    return INCOMPLETE;
  }
}
