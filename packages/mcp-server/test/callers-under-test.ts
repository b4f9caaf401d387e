import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { type AtEnd, type FleetService, fleetService, type Script } from "../../tools/test/served-fleet.ts";
import { addToken, type NewToken } from "../src/callers/token-file.ts";
import { accessOf } from "../src/cli/http-access.ts";
import { httpConfigFromEnv } from "../src/cli/http-config.ts";
import { CALLER_LIMITS, type HttpLimits } from "../src/http/limits.ts";
import { serve } from "../src/http/serve-http.ts";
import { older, type RawRequest, raw, rawCall } from "./http-under-test.ts";
import { configOf, environmentOf } from "./server-under-test.ts";

export const PUBLIC_URL = "https://fleet.example.com/mcp";
export const READ = { scopes: ["fleet:read"] } as const;
export const BOTH = { scopes: ["fleet:read", "fleet:write"] } as const;

/** A file with the hashes of new tokens, and the tokens by name. */
export function tokensFile<Name extends string>(tokens: Record<Name, Omit<NewToken, "name">>, atEnd?: AtEnd) {
  const file = join(temporaryFolder(atEnd), "tokens.json");
  const entries = Object.entries<Omit<NewToken, "name">>(tokens).map(([name, token]) => [name, addToken(file, { name, ...token })]);
  return { file, tokens: Object.fromEntries(entries) as Record<Name, string> };
}

/** A tenants file. */
export function tenantsFile(
  tenants: Record<string, { callers?: string[]; settings: Record<string, unknown> }>,
  settings: object = {},
): string {
  const file = join(temporaryFolder(), "tenants.json");
  writeFileSync(file, JSON.stringify({ settings, tenants }), { mode: 0o600 });
  return file;
}

export const bearer = (token: string | undefined): Record<string, string> =>
  token === undefined ? {} : { authorization: `Bearer ${token}` };

export type Served = Awaited<ReturnType<typeof served>>;

/** `fleetwire-mcp http` with an environment, in this process. */
export async function served(env: Record<string, string>, limits: Partial<HttpLimits> = {}, port = 0) {
  const config = configOf(env, (given) => httpConfigFromEnv(given, "127.0.0.1"));
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "info", base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  const all = { ...CALLER_LIMITS, ...limits };
  const { FLEET_PUBLIC_URL: url, FLEET_TRUSTED_PROXIES: proxies, FLEET_ALLOWED_ORIGINS: origins = [] } = config.values;
  const allowed = { hosts: url ? [url.hostname] : [], origins, localPages: config.callerAuth === "none" };
  const http = await serve({ access: accessOf(config, log, all), allowed, limits: all, proxies, host: "127.0.0.1", port, log });
  onTestFinished(() => http.close());
  const send = (request: RawRequest, token?: string) => raw(http.url, { ...request, headers: { ...bearer(token), ...request.headers } });
  return {
    http,
    /** The lines of the log. */
    log: lines,
    /** Sends a request with a token. */
    send,
    /** Calls a tool with a token. */
    call: (name: string, args: Record<string, unknown>, token?: string) => send(rawCall(name, args), token),
    /** Sends a request without a call. */
    list: (token?: string) => send(older("tools/list"), token),
    /** Reads another path. */
    get: (path: string, headers: Record<string, string> = {}) => raw(new URL(path, http.url).href, { method: "GET", headers }),
  };
}

export interface Setup {
  script?: Script;
  env?: Record<string, string>;
  limits?: Partial<HttpLimits>;
}

/** A server whose callers have tokens: dispatch and night may write, reader may not. */
export async function tokenServer({ script = {}, env = {}, limits = {} }: Setup = {}) {
  const service = await fleetService({ listLivePositions: () => ({ body: [] }), ...script });
  const { file, tokens } = tokensFile({ dispatch: BOTH, night: BOTH, reader: READ });
  const callers = { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file, FLEET_PUBLIC_URL: PUBLIC_URL };
  return { ...(await served({ ...environmentOf(service.origin), ...callers, ...env }, limits)), service, file, tokens };
}

/** The message in a response, which is JSON or a single server-sent event. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
export function messageIn(text: string): any {
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
}

/** The names of the tools in a response to `tools/list`. */
export const toolsIn = (text: string): string[] => messageIn(text).result.tools.map(({ name }: { name: string }) => name);

/** The settings of a customer, whose secrets are in the variables ID_NAME and SECRET_NAME. */
export const tenantSettings = (name: string, origin: string) => ({
  FLEET_CUSTOMER_ID: `c${name}`,
  FLEET_CLIENT_ID: { env: `ID_${name.toUpperCase()}` },
  FLEET_CLIENT_SECRET: { env: `SECRET_${name.toUpperCase()}` },
  FLEET_BASE_URL: origin,
  FLEET_JOB_URL: origin,
  FLEET_TACHO_URL: origin,
  FLEET_AUTH_URL: origin,
});

type Customer = { callers?: string[]; settings?: Record<string, unknown> };

/** Each customer's own service, which knows one truck, and the variables of a server with these customers. */
export async function customersUnderTest<Name extends string>(customers: Record<Name, Customer>) {
  const tenants: Parameters<typeof tenantsFile>[0] = {};
  const services = {} as Record<Name, FleetService>;
  const env: Record<string, string> = { FLEET_CONFIRM: "never", FLEET_TIME_ZONE: "UTC" };
  for (const [name, { callers, settings }] of Object.entries<Customer>(customers)) {
    const position = { assetId: `${name}12`, assetName: "Truck 12", assetRegistration: `${name}-12`, date: new Date().toISOString() };
    const script = { listLivePositions: () => ({ body: [position] }), createJob: () => ({ body: { job: { jobId: "j1" } } }) };
    const service = await fleetService(script, undefined, `c${name}`);
    services[name as Name] = service;
    tenants[name] = { ...(callers && { callers }), settings: { ...tenantSettings(name, service.origin), ...settings } };
    Object.assign(env, { [`ID_${name.toUpperCase()}`]: `id-${name}`, [`SECRET_${name.toUpperCase()}`]: `canary-${name}` });
  }
  return { services, env: { ...env, FLEET_TENANTS_FILE: tenantsFile(tenants) } as Record<string, string> };
}

/** A server with several customers, and a token for each, which may write. */
export async function tenantsUnderTest<Name extends string>(given: Record<Name, Customer>, { env = {}, limits = {} }: Setup = {}) {
  const customers = await customersUnderTest(given);
  const holders = Object.keys(given).map((tenant) => [tenant, { ...BOTH, tenant }] as const);
  const { file, tokens } = tokensFile<string>(Object.fromEntries(holders));
  const callers = env["FLEET_CALLER_AUTH"] === "oauth" ? {} : { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file };
  return { ...customers, server: await served({ ...customers.env, ...callers, ...env }, limits), tokens: tokens as Record<Name, string> };
}
