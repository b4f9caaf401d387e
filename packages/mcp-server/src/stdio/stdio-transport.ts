import { isUtf8 } from "node:buffer";
import type { Readable, Writable } from "node:stream";
import {
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { MAX_MESSAGE_BYTES } from "../limits.ts";
import type { ServerLog } from "../log.ts";
import { argumentRefusal, withoutAbsentParameters } from "../mcp/received-messages.ts";
import { LISTEN } from "../mcp/subscriptions.ts";

interface StdioTransport extends Transport {
  /** Resolves when the host can no longer send or receive: it closed the connection, or a stream failed. Calls in flight continue. */
  ended: Promise<"closed" | "broken">;
  /** Rejects further calls, and resolves once no call in flight is waiting for a response. */
  drain(): Promise<void>;
}

const NEWLINE = 0x0a;

const UTF8 = new TextDecoder();

/** Splits a stream into lines, which are buffered up to the limit; of a longer one, only the length is known. */
function messageLines(read: (length: number, line?: Buffer) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let length = 0;
  const keep = (bytes: Buffer) => {
    length += bytes.length;
    if (length <= MAX_MESSAGE_BYTES) parts.push(bytes);
    else parts = [];
  };
  return (chunk) => {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, to));
      read(length, length > MAX_MESSAGE_BYTES ? undefined : Buffer.concat(parts));
      [parts, length, from] = [[], 0, to + 1];
    }
    keep(chunk.subarray(from));
  };
}

/** The id of the request that a message cancels; undefined if it cancels none. */
export function cancelledRequest(message: JSONRPCMessage): RequestId | undefined {
  const { method, params } = message as Partial<JSONRPCNotification>;
  return method === "notifications/cancelled" ? (params?.["requestId"] as RequestId | undefined) : undefined;
}

// The SDK's own transport aborts calls when stdin ends, and stops reading when stdout breaks or a message is too large.
/** Creates a transport over a pair of streams, with one message per line. The caller decides what happens when the streams end. */
export function stdioTransport(stdin: Readable, stdout: Writable, log: ServerLog): StdioTransport {
  const calls = new Set<RequestId>();
  let [broken, draining, closed] = [false, false, false];
  let onEnd = (_: "closed" | "broken") => {};
  let onIdle = () => {};
  const ended = new Promise<"closed" | "broken">((resolve) => {
    onEnd = resolve;
  });

  /** Messages that are no call, or have no id, settle nothing. */
  const settle = (id: RequestId | undefined) => {
    if (id !== undefined) calls.delete(id);
    if (calls.size === 0) onIdle();
  };

  const write = (message: JSONRPCMessage) =>
    new Promise<void>((resolve, reject) => {
      if (broken || closed) return reject(new Error("stdout is closed"));
      stdout.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });

  const refuse = (id: RequestId | null, code: number, message: string) => {
    log.warn({ code }, "message rejected");
    // JSON-RPC requires null for an unknown id, which the SDK's types do not allow.
    write({ jsonrpc: "2.0", id, error: { code, message } } as JSONRPCMessage).catch(() => {});
  };

  const receive = (message: JSONRPCMessage) => {
    if ("method" in message && "id" in message) {
      if (draining) return refuse(message.id, ProtocolErrorCode.InternalError, "The server is shutting down; nothing was done");
      if (message.method !== LISTEN) calls.add(message.id);
    }
    // A cancelled request gets no response.
    settle(cancelledRequest(message));
    transport.onmessage?.(message);
  };

  const onData = messageLines((length, line) => {
    if (line === undefined) {
      const problem = `The message has ${length} bytes, more than the maximum of ${MAX_MESSAGE_BYTES}; nothing was done`;
      return refuse(null, ProtocolErrorCode.InvalidRequest, problem);
    }
    let value: unknown;
    try {
      value = JSON.parse(UTF8.decode(line));
    } catch {
      // Other lines that are not JSON are ignored.
      if (isUtf8(line)) return;
    }
    // Invalid bytes have become U+FFFD, which would reach the service.
    if (!isUtf8(line)) {
      const { id } = (value ?? {}) as { id?: unknown };
      const known = typeof id === "string" || typeof id === "number" ? id : null;
      return refuse(known, ProtocolErrorCode.ParseError, "The message is not valid UTF-8; nothing was done");
    }
    if (Array.isArray(value))
      return refuse(null, ProtocolErrorCode.InvalidRequest, "Batches are not supported over stdio; send each message separately");
    const refusal = argumentRefusal(value);
    try {
      const message = parseJSONRPCMessage(withoutAbsentParameters(value));
      if (refusal === undefined) return receive(message);
      const { id } = message as Partial<JSONRPCRequest>;
      if (id !== undefined) refuse(id, ProtocolErrorCode.InvalidParams, refusal);
    } catch (error) {
      transport.onerror?.(error as Error);
    }
  });
  const onClosed = () => onEnd("closed");
  const onBroken = () => {
    broken = true;
    onEnd("broken");
  };

  const transport: StdioTransport = {
    ended,
    start: async () => {
      stdin.on("data", onData).once("end", onClosed).once("close", onClosed).on("error", onBroken);
      stdout.on("error", onBroken).once("close", onBroken);
      if (stdin.destroyed) onClosed();
    },
    send: async (message) => {
      const id = "method" in message ? undefined : message.id;
      try {
        await write(message);
      } finally {
        settle(id);
      }
    },
    drain: () => {
      draining = true;
      return new Promise((resolve) => {
        onIdle = resolve;
        if (calls.size === 0) resolve();
      });
    },
    close: async () => {
      if (closed) return;
      closed = true;
      stdin.off("data", onData);
      for (const id of [...calls]) settle(id);
      transport.onclose?.();
    },
  };
  return transport;
}
