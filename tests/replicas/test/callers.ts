import { Client, SdkError, SdkErrorCode, SdkHttpError, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OlderClient } from "sdk-1.32/client/index.js";
import { StreamableHTTPClientTransport as OlderTransport, StreamableHTTPError } from "sdk-1.32/client/streamableHttp.js";
import type { Transport } from "sdk-1.32/shared/transport.js";
import { ErrorCode, McpError } from "sdk-1.32/types.js";

export const ERAS = ["2026-07-28", "2025-11-25"] as const;
export type Era = (typeof ERAS)[number];

export interface Result {
  isError: boolean;
  text: string;
  record: Readonly<Record<string, unknown>>;
}

type Arguments = Readonly<Record<string, unknown>>;

/** An assistant: a real MCP client with its own token. */
export interface Caller {
  era: Era;
  /** Throws what the client throws. */
  call(tool: string, args: Arguments): Promise<Result>;
  close(): Promise<void>;
}

/** Only this timeout detects a stream that was cut before its response. */
const TIMEOUT = 20_000;

/** The part of both SDKs' result types that the tests use. */
function resultOf(result: object): Result {
  const {
    content = [],
    structuredContent: record = {},
    isError = false,
  } = result as {
    content?: { text?: string }[];
    structuredContent?: Result["record"];
    isError?: boolean;
  };
  return { isError, text: content.map(({ text = "" }) => text).join("\n"), record };
}

/** Whether the connection was cut, rather than the call rejected: nginx then responds with 502. */
export function isCut(error: unknown): boolean {
  if (error instanceof SdkHttpError) return error.status === 502;
  if (error instanceof StreamableHTTPError) return error.code === 502;
  if (error instanceof SdkError) return error.code === SdkErrorCode.RequestTimeout || error.code === SdkErrorCode.ConnectionClosed;
  if (error instanceof McpError) return error.code === ErrorCode.RequestTimeout || error.code === ErrorCode.ConnectionClosed;
  return error instanceof TypeError;
}

const identity = { name: "replicas", version: "1.0.0" };

async function modernCaller(url: URL, requestInit: RequestInit): Promise<Caller> {
  const client = new Client(identity, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return {
    era: "2026-07-28",
    call: async (name, args) => resultOf(await client.callTool({ name, arguments: { ...args } }, { timeout: TIMEOUT })),
    close: () => client.close(),
  };
}

async function olderCaller(url: URL, requestInit: RequestInit): Promise<Caller> {
  const client = new OlderClient(identity);
  // The SDK's transport does not match its interface under exactOptionalPropertyTypes.
  await client.connect(new OlderTransport(url, { requestInit }) as Transport);
  return {
    era: "2025-11-25",
    call: async (name, args) => resultOf(await client.callTool({ name, arguments: { ...args } }, undefined, { timeout: TIMEOUT })),
    close: () => client.close(),
  };
}

export function connectCaller(era: Era, url: string, token: string): Promise<Caller> {
  const open = era === "2026-07-28" ? modernCaller : olderCaller;
  return open(new URL(url), { headers: { authorization: `Bearer ${token}` } });
}
