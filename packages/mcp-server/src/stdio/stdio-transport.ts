import type { Readable, Writable } from "node:stream";
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  ProtocolErrorCode,
  parseJSONRPCMessage,
  type RequestId,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import { LARGEST_MESSAGE } from "../limits.ts";
import type { Logger } from "../log.ts";
import { argumentRefusal } from "../mcp/argument-refusal.ts";
import { reportingDelivery } from "../mcp/delivery.ts";
import { type MessageLine, messageLines, requestIdIn } from "./message-lines.ts";

/** Why a connection is over: the host closed its end, or a stream failed. */
type ConnectionEnd = "closed" | "broken";

export interface StdioTransport extends Transport {
  /** Settles when nothing more can come from the host, or nothing can reach it. Calls in flight are not touched. */
  ended: Promise<ConnectionEnd>;
  /** Refuses further calls, and settles once those in flight have their response written, or would have. */
  drain(): Promise<void>;
}

interface CallInFlight {
  delivered: Promise<boolean>;
  settle: (delivered: boolean) => void;
}

const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true });

/** It is answered when the connection ends. */
const SUBSCRIPTION = "subscriptions/listen";

// The SDK's own transport aborts calls at the end of stdin, pauses stdin for good when stdout breaks, and goes deaf at a message that is too large.
/** MCP over a pair of streams, a message a line, whose end is left to the caller. */
export function stdioTransport(stdin: Readable, stdout: Writable, log: Logger): StdioTransport {
  const calls = new Map<RequestId, CallInFlight>();
  const lines = messageLines(LARGEST_MESSAGE);
  let [broken, draining, closed] = [false, false, false];
  let onEnd = (_: ConnectionEnd) => {};
  let onIdle = () => {};
  const ended = new Promise<ConnectionEnd>((resolve) => {
    onEnd = resolve;
  });

  const settle = (id: RequestId, delivered: boolean) => {
    calls.get(id)?.settle(delivered);
    calls.delete(id);
    if (calls.size === 0) onIdle();
  };

  const write = (message: JSONRPCMessage) =>
    new Promise<void>((resolve, reject) => {
      if (broken || closed) return reject(new Error("stdout is closed"));
      stdout.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()));
    });

  const refuse = (id: RequestId | null, code: number, message: string) => {
    log.warn({ code }, "message refused");
    // JSON-RPC wants null where the id cannot be told, for which the SDK has no type.
    write({ jsonrpc: "2.0", id, error: { code, message } } as JSONRPCMessage).catch(() => {});
  };

  const receive = (message: JSONRPCMessage) => {
    if (isJSONRPCRequest(message)) {
      if (draining) return refuse(message.id, ProtocolErrorCode.InternalError, "The server is ending; nothing was done");
      // An id that is used twice at a time belongs to the later call.
      settle(message.id, false);
      if (message.method !== SUBSCRIPTION) {
        let resolve = (_: boolean) => {};
        const delivered = new Promise<boolean>((settled) => {
          resolve = settled;
        });
        calls.set(message.id, { delivered, settle: resolve });
      }
    } else if ("method" in message && message.method === "notifications/cancelled") {
      // No response follows.
      settle(message.params?.["requestId"] as RequestId, false);
    }
    reportingDelivery(
      (id) => calls.get(id)?.delivered ?? Promise.resolve(false),
      () => transport.onmessage?.(message),
    );
  };

  const read = ({ bytes, length, complete }: MessageLine) => {
    if (!complete) {
      const said = `The message holds ${length} bytes, and at most ${LARGEST_MESSAGE} are taken; nothing was done`;
      return refuse(requestIdIn(bytes), ProtocolErrorCode.InvalidRequest, said);
    }
    let value: unknown;
    try {
      value = JSON.parse(STRICT_UTF8.decode(bytes));
    } catch (error) {
      // What is no JSON is no message; what is no UTF-8 would be read as something else.
      if (error instanceof TypeError)
        refuse(requestIdIn(bytes), ProtocolErrorCode.ParseError, "The message is not valid UTF-8; nothing was done");
      return;
    }
    if (Array.isArray(value))
      return refuse(null, ProtocolErrorCode.InvalidRequest, "Batches are not taken over stdio; send each message by itself");
    const refusal = argumentRefusal(value);
    try {
      const message = parseJSONRPCMessage(value);
      if (refusal === undefined) receive(message);
      else if (isJSONRPCRequest(message)) refuse(message.id, ProtocolErrorCode.InvalidParams, refusal);
    } catch (error) {
      transport.onerror?.(error as Error);
    }
  };

  const onData = (chunk: Buffer) => {
    for (const line of lines(chunk)) read(line);
  };
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
        if (id !== undefined) settle(id, true);
      } catch (error) {
        if (id !== undefined) settle(id, false);
        throw error;
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
      for (const id of [...calls.keys()]) settle(id, false);
      transport.onclose?.();
    },
  };
  return transport;
}
