import { FleetError } from "../errors.ts";
import { type AuthScheme, authSchemes, type ServerName, serverNames } from "../operation.ts";
import { type OperationName, operations } from "../operations/index.ts";
import { Identifier } from "../schemas/scalars.ts";
import type { CallHooks } from "./call-hooks.ts";
import type { DriftReport } from "./check-body.ts";
import { maxResponseBytesProblem } from "./response-body.ts";
import { settingProblems } from "./retry-policy.ts";
import { serverProblem, tokenPathProblem } from "./server-address.ts";
import type { TokenStore } from "./token-store.ts";

export interface FleetClientOptions extends CallHooks {
  /** The customer that all calls are scoped to (interface 1). */
  customerId: string;
  /** Issued by the account manager of the service's operator (interface 5). */
  credentials: { clientId: string; clientSecret: string };
  /** Addresses with their path prefixes; only those of the operations in use are needed. */
  servers: { readonly [Name in ServerName]?: string };
  /** Path of the token request, whose first segment is a vendor word in real deployments (interface 5.2). */
  tokenPath?: string;
  /** Other authentication schemes than the default ones, by operation. */
  authSchemes?: { readonly [Name in OperationName]?: AuthScheme };
  /** Who numbers jobs: the client (default), so that a lost answer leaves a number to look for, or the service. */
  jobNumbers?: "client" | "service";
  /** Milliseconds for headers and body of one request; 30,000 by default. */
  timeout?: number;
  /** How often a request that failed is sent again; 2 by default. What may be sent again follows from the operation's effect. */
  retries?: number;
  /** Milliseconds for all requests of a call and the pauses between them, from its first turn on; three times `timeout` by default. */
  totalTimeout?: number;
  /** How many requests may be under way at a time, 50 by default; other calls wait for their turn. Token requests come on top. */
  maxConcurrency?: number;
  /**
   * Bytes of one response that are read at once, decompressed; 268,435,456 (256 MB) by default, 536,870,848 at most. A larger one fails with `tooLarge`.
   * It bounds no list that is read with `iterate`, which takes little memory at any size.
   */
  maxResponseBytes?: number;
  /** Keeps the access token where other processes find it. Without one it lives in this client. */
  tokenStore?: TokenStore;
  /** Sent as the user-agent header. */
  userAgent?: string;
  /** Used in place of the runtime's own fetch. */
  fetch?: typeof globalThis.fetch;
  /** `tolerant` (default) mends what differs from the contract and reports it; `strict` fails. */
  validation?: "tolerant" | "strict";
  /** Told how an answer differed from the contract. What it throws is ignored: a call never fails for its listener. */
  onDrift?: (report: DriftReport) => void;
  /** Allows plain http to other hosts than loopback: credentials then travel unencrypted. */
  allowHttp?: boolean;
  /** Milliseconds since 1970; the system's clock by default. */
  now?: () => number;
  /** Draws pauses between attempts, from 0 up to 1; `Math.random` by default. */
  random?: () => number;
}

function serverProblems({ servers, allowHttp = false }: FleetClientOptions): string[] {
  if (typeof servers !== "object" || servers === null) return ["servers must be an object of addresses"];
  return serverNames.flatMap((name) => {
    const problem = servers[name] === undefined ? undefined : serverProblem(servers[name], allowHttp);
    return problem ? [`servers.${name} ${problem}`] : [];
  });
}

function schemeProblems({ authSchemes: schemes = {} }: FleetClientOptions): string[] {
  return Object.entries(schemes).flatMap(([name, scheme]) => {
    if (!Object.hasOwn(operations, name)) return [`authSchemes names ${name}, which is no operation`];
    if (!(authSchemes as readonly string[]).includes(scheme)) return [`authSchemes.${name} must be one of ${authSchemes.join(", ")}`];
    return name === "requestAccessToken" && scheme !== "basic" ? ["authSchemes.requestAccessToken must be basic"] : [];
  });
}

/** Refuses options that cannot work, all at once. */
export function checkOptions(options: FleetClientOptions): void {
  const { customerId, credentials, tokenPath, userAgent, maxConcurrency, maxResponseBytes } = options;
  const { jobNumbers = "client", validation = "tolerant" } = options;
  const pathProblem = tokenPath === undefined ? undefined : tokenPathProblem(tokenPath);
  const bytesProblem = maxResponseBytes === undefined ? undefined : maxResponseBytesProblem(maxResponseBytes);
  const rules: readonly [isKept: boolean, problem: string][] = [
    [
      maxConcurrency === undefined || (Number.isInteger(maxConcurrency) && maxConcurrency > 0),
      "maxConcurrency must be a whole number, 1 or more",
    ],
    [!bytesProblem, `maxResponseBytes ${bytesProblem}`],
    [jobNumbers === "client" || jobNumbers === "service", "jobNumbers must be client or service"],
    [validation === "tolerant" || validation === "strict", "validation must be tolerant or strict"],
    [userAgent === undefined || /^[\x20-\x7e]+$/.test(userAgent), "userAgent must be one line of ASCII"],
  ];
  const problems = [
    ...(Identifier.safeParse(customerId).success ? [] : ["customerId must consist of letters and digits only"]),
    ...(credentials?.clientId && credentials.clientSecret ? [] : ["credentials must have a clientId and a clientSecret"]),
    ...serverProblems(options),
    ...schemeProblems(options),
    ...(pathProblem ? [`tokenPath ${pathProblem}`] : []),
    ...settingProblems(options),
    ...rules.flatMap(([isKept, problem]) => (isKept ? [] : [problem])),
  ];
  if (problems.length === 0) return;
  throw new FleetError("config", `createFleetClient: ${problems.join("; ")}`, { advice: "Mend the options that are named" });
}
