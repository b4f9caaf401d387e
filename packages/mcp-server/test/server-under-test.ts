import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createFleetClient } from "@fleetwire/core";
import {
  type CallToolResult,
  Client,
  type ClientOptions,
  type ElicitResult,
  InMemoryTransport,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { onTestFinished } from "vitest";
import { type AtEnd, CUSTOMER, fleetService, type Script } from "../../tools/test/served-fleet.ts";
import { createLog, createServerFactory, serverConfigFromEnv } from "../src/index.ts";
import { serveHost } from "../src/stdio/serve-host.ts";

const compiled = new Map<string, JsonSchemaValidator<unknown>>();

/** Compiles each schema once: every test connects hosts of its own, to much the same tools. */
const validator: jsonSchemaValidator = {
  getValidator<Value>(schema: JsonSchemaType): JsonSchemaValidator<Value> {
    const key = JSON.stringify(schema);
    const known = compiled.get(key) ?? new AjvJsonSchemaValidator().getValidator(schema);
    compiled.set(key, known);
    return known as JsonSchemaValidator<Value>;
  },
};

/** A host that speaks today's revision (auto) or an older one. It checks records against the output schemas that it has listed. */
export const hostClient = (mode: Mode, capabilities: NonNullable<ClientOptions["capabilities"]> = {}): Client =>
  new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode }, capabilities, jsonSchemaValidator: validator });

interface Connecting {
  /** @default "auto" */
  mode?: Mode;
  token?: string | undefined;
  capabilities?: NonNullable<ClientOptions["capabilities"]>;
  fetch?: (url: string | URL, init?: RequestInit) => Promise<Response>;
}

/** A host that is connected to a server over HTTP until the test ends. */
export async function connectedHost(url: string, { mode = "auto", token, capabilities, fetch }: Connecting = {}): Promise<Client> {
  const client = hostClient(mode, capabilities);
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit, ...(fetch && { fetch }) }));
  return client;
}

export const NOW = Date.parse("2026-11-20T08:34:00Z");

/** A secret that may only appear in the Authorization header. */
export const CANARY = "canary-5ecret";

/** The full configuration, with every server at one origin. */
export function environmentOf(origin: string): Record<string, string> {
  return {
    FLEET_CUSTOMER_ID: CUSTOMER,
    FLEET_CLIENT_ID: "client",
    FLEET_CLIENT_SECRET: CANARY,
    FLEET_BASE_URL: origin,
    FLEET_API_HOST: origin,
    FLEET_JOB_URL: origin,
    FLEET_TACHO_URL: origin,
    FLEET_AUTH_URL: origin,
    FLEET_LOG: "silent",
    FLEET_TIME_ZONE: "UTC",
    // Writes are sent at once, except in tests of their approval.
    FLEET_CONFIRM: "never",
    // No caching, except in tests of it.
    FLEET_SNAPSHOT_SECONDS: "0",
  };
}

/** The configuration in an environment, in which reads may count as current for less than a second. */
export function configOf<Config>(
  env: Record<string, string | undefined>,
  read: (env: Record<string, string | undefined>) => Config,
): Config {
  const seconds = Number(env["FLEET_SNAPSHOT_SECONDS"]);
  if (!(seconds > 0 && seconds < 1)) return read(env);
  const config = read({ ...env, FLEET_SNAPSHOT_SECONDS: "1" });
  const changed = { snapshotSeconds: seconds };
  const { server, tenants } = config as { server?: object; tenants?: { config: object }[] };
  if (tenants) return { ...config, tenants: tenants.map((one) => ({ ...one, config: { ...one.config, ...changed } })) };
  return { ...config, ...(server ? { server: { ...server, ...changed } } : changed) };
}

/** The host's revision: current (auto) or older. */
export type Mode = "auto" | "legacy";

interface Setup {
  script?: Script;
  /** Overrides of the full configuration; undefined removes a variable. */
  env?: Record<string, string | undefined>;
  timeout?: number;
  mode?: Mode;
  /** What the user replies to a question; without it, the host cannot ask. */
  person?: (message: string) => ElicitResult | Promise<ElicitResult>;
  /** How a host with a user says that it can ask. */
  elicitation?: { form?: Record<string, never>; url?: Record<string, never> };
  /** The server's clock. */
  now?: () => number;
  /** Milliseconds a tool call may take. */
  callTimeout?: number;
}

/** A client connected to the server, with the real fleet client and a real HTTP server behind it. */
export async function serverUnderTest({
  script = {},
  env = {},
  timeout = 10_000,
  mode = "legacy",
  person,
  elicitation = {},
  now = () => NOW,
  callTimeout,
}: Setup = {}) {
  const service = await fleetService(script);
  const config = configOf({ ...environmentOf(service.origin), ...env }, serverConfigFromEnv);
  const fleet = createFleetClient({ ...config, timeout, retries: 0, random: () => 0 });
  const log = createLog(config.log);
  const factory = createServerFactory({ fleet, config, log, version: "1.2.3", now, ...(callTimeout && { callTimeout }) });
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = hostClient(mode, person ? { elicitation } : {});
  if (person) client.setRequestHandler("elicitation/create", ({ params }) => person(params.message));
  serveHost(factory, there, log);
  await client.connect(here);
  onTestFinished(() => client.close());
  // The client checks structured content against the listed schemas.
  if (client.getServerCapabilities()?.tools) await client.listTools();
  const call = (name: string, args: Record<string, unknown> = {}): Promise<CallToolResult> => client.callTool({ name, arguments: args });
  return { client, service, call };
}

/** Lets a server listen on a loopback port until the test ends, and returns its origin. */
export async function listen(server: Server, atEnd: AtEnd = onTestFinished): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  atEnd(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What something waits for until a test opens it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

/** The text of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

/** The structured content of a successful result, with the rows of a list as `items`, each with its values by column. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
export function structuredOf(result: CallToolResult): any {
  if (result.isError) throw new Error(`the tool failed: ${textOf(result)}`);
  const { columns, rows, ...record } = (result.structuredContent ?? {}) as { columns?: string[]; rows?: unknown[][] };
  if (!columns || !rows) return result.structuredContent;
  const items = rows.map((row) => Object.fromEntries(columns.flatMap((column, at) => (row[at] === null ? [] : [[column, row[at]]]))));
  return { ...record, items };
}

/** The error text of a failed result. */
export function errorOf(result: CallToolResult): string {
  if (!result.isError) throw new Error(`the tool did not fail: ${textOf(result)}`);
  if (result.structuredContent !== undefined) throw new Error("an error has structured content");
  return textOf(result);
}

export const tokens = (value: unknown) => JSON.stringify(value).length / 4;
