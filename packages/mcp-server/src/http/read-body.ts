import { MAX_MESSAGE_BYTES } from "../limits.ts";
import { INCOMPLETE, type Refusal } from "./refusal.ts";

const TOO_LARGE: Refusal = {
  status: 413,
  message: `Request body must not exceed ${MAX_MESSAGE_BYTES} bytes`,
  headers: { connection: "close" },
};

/** Reads a body whose length is not known beforehand. */
async function readChunks(body: ReadableStream<Uint8Array>): Promise<ArrayBuffer | Refusal> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(chunks).arrayBuffer();
    size += value.length;
    // Cancelling would close the connection before the response is sent.
    if (size > MAX_MESSAGE_BYTES) return TOO_LARGE;
    chunks.push(value as Uint8Array<ArrayBuffer>);
  }
}

/** Reads the body of a request, up to the limit. Hono's body-limit cannot read chunked bodies unless the global Request is replaced. */
export async function readBody(request: Request): Promise<ArrayBuffer | Refusal> {
  const { headers } = request;
  const length = headers.has("transfer-encoding") ? null : headers.get("content-length");
  if (length !== null && Number(length) > MAX_MESSAGE_BYTES) return TOO_LARGE;
  try {
    if (length !== null) return await request.arrayBuffer();
    return request.body === null ? new ArrayBuffer() : await readChunks(request.body);
  } catch {
    return INCOMPLETE;
  }
}
