import { FleetError } from "../errors.ts";
import { type AuthScheme, authSchemes, type ServerName, serverNames } from "../operation.ts";
import { pathProblemOf } from "../operation-fields.ts";
import { type OperationName, operations } from "../operations/index.ts";
import { Identifier } from "../schemas/scalars.ts";
import type { TokenStore } from "./access-token.ts";
import type { CallHooks } from "./call-hooks.ts";
import type { DriftReport } from "./check-body.ts";
import { serverProblem } from "./operation-routes.ts";
import { maxResponseBytesProblem } from "./response-body.ts";
import { settingProblems } from "./retry-policy.ts";

/** How a client connects, authenticates, retries and checks responses. */
export interface FleetClientOptions extends CallHooks {
  /** The customer that all calls are scoped to (interface 1). */
  customerId: string;
  /** Issued by the service operator's account manager (interface 5). */
  credentials: { clientId: string; clientSecret: string };
  /** Server URLs with their path prefixes; only the servers you use are needed. */
  servers: { readonly [Name in ServerName]?: string | undefined };
  /**
   * Path of the token request. In real deployments, a vendor name replaces the first segment (interface 5.2). Default:
   * `/vendor-oauth/oauth/accessToken`.
   */
  tokenPath?: string | undefined;
  /** Authentication schemes that replace the defaults, by operation. */
  authSchemes?: { readonly [Name in OperationName]?: AuthScheme | undefined } | undefined;
  /**
   * Who assigns job numbers. With `client`, a creation can be retried safely; with `service`, a lost response always results in
   * `unknownOutcome`. Default: `client`.
   */
  jobNumbers?: "client" | "service" | undefined;
  /** Time limit in milliseconds for one request, including the response body. Default: 30,000. */
  timeout?: number | undefined;
  /** How many times a failed request is retried. Whether it may be retried depends on the operation's `effect`. Default: 2. */
  retries?: number | undefined;
  /**
   * Time limit in milliseconds for all requests of a call and the delays between them, starting when the call gets its first slot.
   * Default: three times `timeout`.
   */
  totalTimeout?: number | undefined;
  /** Maximum number of requests in flight; further calls wait for a slot. Token requests and streamed lists do not count towards it. Default: 50. */
  maxConcurrency?: number | undefined;
  /**
   * Maximum decompressed size of one response in bytes, at most 536,870,848. A larger response fails with `tooLarge`. Does not apply to a
   * list streamed with `iterate`, which needs little memory at any size. Default: 268,435,456 (256 MB).
   */
  maxResponseBytes?: number | undefined;
  /** Shares the access token with other processes. Without a store, only this client has it. */
  tokenStore?: TokenStore | undefined;
  /** Sent as the user-agent header. */
  userAgent?: string | undefined;
  /** Function to use instead of the global fetch. */
  fetch?: typeof globalThis.fetch | undefined;
  /** What to do if a response differs from the contract: `tolerant` repairs it and reports the difference, `strict` fails. Default: `tolerant`. */
  validation?: "tolerant" | "strict" | undefined;
  /** Called when a response differs from the contract. Whatever it throws is ignored. */
  onDrift?: ((report: DriftReport) => void) | undefined;
  /** Allows plain http to hosts other than loopback. Credentials are then sent unencrypted. Default: `false`. */
  allowHttp?: boolean | undefined;
  /** Returns the current time in milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
  /** Returns a number from 0 up to but not including 1, for the jitter of retry delays. Default: `Math.random`. */
  random?: (() => number) | undefined;
}

function serverProblems({ servers, allowHttp = false }: FleetClientOptions): string[] {
  if (typeof servers !== "object" || servers === null) return ["servers must be an object with server URLs"];
  return serverNames.flatMap((name) => {
    const problem = servers[name] === undefined ? undefined : serverProblem(servers[name], allowHttp);
    return problem ? [`servers.${name} ${problem}`] : [];
  });
}

function schemeProblems({ authSchemes: schemes }: FleetClientOptions): string[] {
  return Object.entries(schemes ?? {}).flatMap(([name, scheme]) => {
    if (scheme === undefined) return [];
    if (!Object.hasOwn(operations, name)) return [`authSchemes has an entry for ${name}, which is not an operation`];
    if (!(authSchemes as readonly string[]).includes(scheme)) return [`authSchemes.${name} must be one of ${authSchemes.join(", ")}`];
    return name === "requestAccessToken" && scheme !== "basic" ? ["authSchemes.requestAccessToken must be basic"] : [];
  });
}

const isText = (value: unknown) => typeof value === "string" && value !== "";

const FUNCTIONS = ["fetch", "onRequest", "onResponse", "onRetry", "onDrift", "now", "random"] as const;

/** Checks the options that are functions: any other value would be ignored, or fail as if the service could not be reached. */
function functionProblems(options: FleetClientOptions): string[] {
  const { tokenStore: store } = options;
  const isMissing = (value: unknown) => typeof value !== "function";
  return [
    ...FUNCTIONS.filter((name) => options[name] !== undefined && isMissing(options[name])).map((name) => `${name} must be a function`),
    ...(store !== undefined && (isMissing(store?.get) || isMissing(store?.set)) ? ["tokenStore must have a get and a set function"] : []),
  ];
}

/** Throws one `config` error that lists all invalid options. */
export function checkOptions(options: FleetClientOptions): void {
  const { customerId, credentials, tokenPath, userAgent = "none", maxConcurrency, maxResponseBytes } = options;
  const { jobNumbers = "client", validation = "tolerant", allowHttp = false } = options;
  const pathProblem = tokenPath === undefined ? undefined : pathProblemOf(tokenPath);
  const bytesProblem = maxResponseBytes === undefined ? undefined : maxResponseBytesProblem(maxResponseBytes);
  const rules: readonly [isMet: boolean, problem: string][] = [
    [
      maxConcurrency === undefined || (Number.isInteger(maxConcurrency) && maxConcurrency > 0),
      "maxConcurrency must be a whole number, 1 or more",
    ],
    [!bytesProblem, `maxResponseBytes ${bytesProblem}`],
    [jobNumbers === "client" || jobNumbers === "service", "jobNumbers must be client or service"],
    [validation === "tolerant" || validation === "strict", "validation must be tolerant or strict"],
    [isText(userAgent) && /^[\x20-\x7e]+$/.test(userAgent), "userAgent must be one line of ASCII"],
    [typeof allowHttp === "boolean", "allowHttp must be true or false"],
  ];
  const problems = [
    ...(Identifier.safeParse(customerId).success ? [] : ["customerId must consist of letters and digits only"]),
    ...(isText(credentials?.clientId) && isText(credentials?.clientSecret) ? [] : ["credentials must have a clientId and a clientSecret"]),
    ...serverProblems(options),
    ...schemeProblems(options),
    ...(pathProblem ? [`tokenPath ${pathProblem}`] : []),
    ...settingProblems(options),
    ...functionProblems(options),
    ...rules.flatMap(([isMet, problem]) => (isMet ? [] : [problem])),
  ];
  if (problems.length === 0) return;
  throw new FleetError("config", `createFleetClient: ${problems.join("; ")}`, { advice: "Fix the options listed" });
}
