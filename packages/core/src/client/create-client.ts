import { FleetError } from "../errors.ts";
import { type AuthScheme, authSchemes, type Operation, type ServerName, serverNames } from "../operation.ts";
import { type OperationName, operations } from "../operations/index.ts";
import type { AccessToken } from "../schemas/access-token.ts";
import { Identifier } from "../schemas/scalars.ts";
import { createTokenSource } from "./access-token.ts";
import { basicCredentials } from "./build-request.ts";
import type { CallHooks } from "./call-hooks.ts";
import { type CallContext, callOperation } from "./call-operation.ts";
import type { DriftReport } from "./check-body.ts";
import { createConcurrencyLimit, noLimit } from "./concurrency-limit.ts";
import type { FleetClient } from "./fleet-client.generated.ts";
import { createKnownSecrets } from "./known-secrets.ts";
import type { CallOptions, OperationMethod, RequestMethod } from "./method.ts";
import { missingServers, schemeOf, serverOf } from "./operation-routes.ts";
import { readPages, readRecords } from "./paginate.ts";
import { redactor } from "./redaction.ts";
import { DEFAULT_MAX_RESPONSE_BYTES, maxResponseBytesProblem } from "./response-body.ts";
import { settingProblems } from "./retry-policy.ts";
import { serverProblem, tokenPathProblem } from "./server-address.ts";
import { answersWithList, streamRecords } from "./stream-records.ts";
import type { TokenStore } from "./token-store.ts";
import { createTransport } from "./transport.ts";

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

function checkedOperation(operation: Operation): Operation {
  if (typeof operation === "object" && operation !== null && "input" in operation) return operation;
  throw new FleetError("input", "request: the operation must be one that defineOperation made", { advice: "Define the operation first" });
}

function requestMethod(context: CallContext): RequestMethod {
  const withMetadata = async (operation: Operation, input: unknown, options: CallOptions = {}) =>
    callOperation(checkedOperation(operation), input, options, context);
  const request = async (operation: Operation, input: unknown, options?: CallOptions) =>
    (await withMetadata(operation, input, options)).data;
  return Object.freeze(Object.assign(request, { withMetadata })) as RequestMethod;
}

function methodOf(operation: Operation, context: CallContext): OperationMethod<unknown, unknown> {
  const withMetadata = (input: unknown, options: CallOptions = {}) => callOperation(operation, input, options, context);
  const method = async (input: unknown, options?: CallOptions) => (await withMetadata(input, options)).data;
  return Object.freeze(Object.assign(method, { withMetadata, ...iteratorsOf(operation, context) }));
}

/** The ways to read a long answer piece by piece, which follow from the operation's paging and output. */
function iteratorsOf(operation: Operation, context: CallContext) {
  const { paging } = operation;
  if (paging) {
    const reading =
      (read: typeof readRecords) =>
      (input: unknown, options: CallOptions = {}) =>
        read(operation, paging, input, (page) => callOperation(operation, page, options, context));
    return { iterate: reading(readRecords), pages: reading(readPages) };
  }
  if (!answersWithList(operation)) return {};
  return { iterate: (input: unknown, options: CallOptions = {}) => streamRecords(operation, input, options, context) };
}

/** Refuses options that cannot work, all at once. */
function checkOptions({
  customerId,
  credentials,
  servers,
  authSchemes: schemes = {},
  tokenPath,
  userAgent,
  allowHttp,
  maxConcurrency,
  maxResponseBytes,
  jobNumbers = "client",
  validation = "tolerant",
  ...settings
}: FleetClientOptions): void {
  const problems: string[] = [];
  if (!Identifier.safeParse(customerId).success) problems.push("customerId must consist of letters and digits only");
  if (!credentials?.clientId || !credentials?.clientSecret) problems.push("credentials must have a clientId and a clientSecret");
  if (typeof servers !== "object" || servers === null) problems.push("servers must be an object of addresses");
  for (const name of serverNames) {
    const problem = servers?.[name] === undefined ? undefined : serverProblem(servers[name], allowHttp ?? false);
    if (problem) problems.push(`servers.${name} ${problem}`);
  }
  for (const [name, scheme] of Object.entries(schemes)) {
    if (!Object.hasOwn(operations, name)) problems.push(`authSchemes names ${name}, which is no operation`);
    else if (!(authSchemes as readonly string[]).includes(scheme))
      problems.push(`authSchemes.${name} must be one of ${authSchemes.join(", ")}`);
    else if (name === "requestAccessToken" && scheme !== "basic") problems.push("authSchemes.requestAccessToken must be basic");
  }
  const pathProblem = tokenPath === undefined ? undefined : tokenPathProblem(tokenPath);
  if (pathProblem) problems.push(`tokenPath ${pathProblem}`);
  problems.push(...settingProblems(settings));
  if (maxConcurrency !== undefined && !(Number.isInteger(maxConcurrency) && maxConcurrency > 0))
    problems.push("maxConcurrency must be a whole number, 1 or more");
  const bytesProblem = maxResponseBytes === undefined ? undefined : maxResponseBytesProblem(maxResponseBytes);
  if (bytesProblem) problems.push(`maxResponseBytes ${bytesProblem}`);
  if (jobNumbers !== "client" && jobNumbers !== "service") problems.push("jobNumbers must be client or service");
  if (validation !== "tolerant" && validation !== "strict") problems.push("validation must be tolerant or strict");
  if (userAgent !== undefined && !/^[\x20-\x7e]+$/.test(userAgent)) problems.push("userAgent must be one line of ASCII");
  if (problems.length > 0) {
    throw new FleetError("config", `createFleetClient: ${problems.join("; ")}`, { advice: "Mend the options that are named" });
  }
}

/**
 * Makes a client of the fleet service. Every failure is a {@link FleetError}.
 *
 * @example
 * const fleet = createFleetClient({ customerId, credentials: { clientId, clientSecret }, servers: { base } });
 * const positions = await fleet.listLivePositions({ vehicleIds: ["v1001"] });
 */
export function createFleetClient(options: FleetClientOptions): FleetClient {
  checkOptions(options ?? {});
  const {
    credentials,
    now = Date.now,
    tokenStore: store,
    maxResponseBytes = DEFAULT_MAX_RESPONSE_BYTES,
    fetch = (...call) => globalThis.fetch(...call),
  } = options;
  const ownFetch = options.fetch !== undefined;
  const basic = basicCredentials(credentials);
  let calls = 0;
  const registry: Record<OperationName, Operation> = {
    ...operations,
    requestAccessToken: { ...operations.requestAccessToken, path: options.tokenPath ?? operations.requestAccessToken.path },
  };

  const context: CallContext = {
    send: createTransport(fetch, { maxResponseBytes, answer: "whole", ownFetch }),
    open: createTransport(fetch, { maxResponseBytes, answer: "stream", ownFetch }),
    defaults: options,
    basic,
    tokens: createTokenSource({
      // Calls wait for it in their turns: it must not wait for one.
      request: async () => (await callOperation(registry.requestAccessToken, {}, {}, { ...context, limit: noLimit })).data as AccessToken,
      now,
      store,
    }),
    limit: createConcurrencyLimit(options.maxConcurrency ?? 50),
    hooks: options,
    request: { customerId: options.customerId, userAgent: options.userAgent },
    decode: {
      validation: options.validation ?? "tolerant",
      onDrift: options.onDrift,
      redact: redactor(() => context.secrets.list()),
      now,
      maxResponseBytes,
    },
    secrets: createKnownSecrets(() => [credentials.clientId, credentials.clientSecret, basic, ...context.tokens.secrets()]),
    serverOf(operation) {
      const address = serverOf(operation, options);
      if (address !== undefined) return address;
      const missing = missingServers(operation, options).join(" and ");
      throw new FleetError("config", `${operation.name}: the server ${missing} is not configured`, {
        operation: operation.name,
        advice: `Set servers.${missing}`,
      });
    },
    schemeOf: (operation) => schemeOf(operation, options),
    now,
    random: options.random ?? Math.random,
    nextCall: () => ++calls,
    numberJobs: options.jobNumbers !== "service",
  };

  const methods = Object.entries(registry).map(([name, operation]) => [name, methodOf(operation, context)]);
  return Object.freeze({ ...Object.fromEntries(methods), request: requestMethod(context) });
}
