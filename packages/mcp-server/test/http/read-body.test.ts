import { describe, expect, it } from "vitest";
import { observedBody } from "../../src/http/observed-body.ts";
import { readBody } from "../../src/http/read-body.ts";
import { MAX_MESSAGE_BYTES } from "../../src/limits.ts";

const bytesOf = (...sizes: number[]) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const size of sizes) controller.enqueue(new Uint8Array(size).fill(97));
      controller.close();
    },
  });

const broken = () => new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("cut off")) });

const request = (body: ReadableStream | string | undefined, headers: Record<string, string> = {}) =>
  new Request("http://localhost/mcp", { method: "POST", headers, ...(body !== undefined && { body }), duplex: "half" } as RequestInit);

describe("a request's body", () => {
  const large = { status: 413, message: "Request body must not exceed 1048576 bytes", headers: { connection: "close" } };
  const incomplete = { status: 400, message: "The request body is incomplete" };
  it.each<[what: string, request: Request, read: number | object]>([
    ["with a length", request("four", { "content-length": "4" }), 4],
    ["that is too long by its header", request("four", { "content-length": String(MAX_MESSAGE_BYTES + 1) }), large],
    ["as long as allowed by its header", request("four", { "content-length": String(MAX_MESSAGE_BYTES) }), 4],
    ["in chunks", request(bytesOf(3, 4)), 7],
    [
      "in chunks, with a length that does not count",
      request(bytesOf(3, 4), { "content-length": "9999999", "transfer-encoding": "chunked" }),
      7,
    ],
    ["in chunks, as long as allowed", request(bytesOf(MAX_MESSAGE_BYTES - 1, 1)), MAX_MESSAGE_BYTES],
    ["in chunks that are too long", request(bytesOf(MAX_MESSAGE_BYTES, 1)), large],
    ["that is missing", request(undefined), 0],
    ["that is cut off", request(broken()), incomplete],
    ["that is cut off, with a length", request(broken(), { "content-length": "4" }), incomplete],
  ])("%s", async (_, received, read) => {
    const body = await readBody(received);
    expect(body instanceof ArrayBuffer ? body.byteLength : body).toEqual(read);
  });
});

describe("a response's body", () => {
  it.each([
    ["", "aaaaa"],
    ["!", "aaaaa!"],
  ])("passes, with the trailer %j", async (trailer, text) => {
    const { body, ended } = observedBody(bytesOf(2, 3), { readToEnd: false, trailer: () => trailer });
    expect(await new Response(body).text()).toBe(text);
    await ended;
  });

  it("just ends if its source fails", async () => {
    const { body, ended } = observedBody(broken(), { readToEnd: false, trailer: () => "!" });
    expect(await new Response(body).text()).toBe("!");
    await ended;
  });

  it.each([
    [true, "read"],
    [false, "cancelled"],
  ])("whose reader leaves, with readToEnd %s: its source is %s", async (readToEnd, state) => {
    let chunks = 0;
    let isCancelled = false;
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) => (++chunks < 5 ? controller.enqueue(new Uint8Array(1)) : controller.close()),
      cancel: () => {
        isCancelled = true;
      },
    });
    const { body, ended } = observedBody(source, { readToEnd, trailer: () => "!" });
    await body.cancel();
    await ended;
    expect([chunks === 5 ? "read" : "", isCancelled ? "cancelled" : ""]).toContain(state);
    expect(isCancelled).toBe(!readToEnd);
  });
});
