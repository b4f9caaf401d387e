import { FleetError } from "../errors.ts";
import type { Operation } from "../operation.ts";
import { type OperationName, operations } from "../operations/index.ts";
import type { AccessToken } from "../schemas/access-token.ts";
import { createTokenSource } from "./access-token.ts";
import { basicCredentials } from "./build-request.ts";
import { type CallContext, callOperation } from "./call-operation.ts";
import { checkOptions, type FleetClientOptions } from "./client-options.ts";
import { createConcurrencyLimit, noLimit } from "./concurrency-limit.ts";
import type { FleetClient } from "./fleet-client.generated.ts";
import type { CallOptions, OperationMethod, RequestMethod } from "./operation-method.ts";
import { missingServers, type Routes, schemeOf, serverOf } from "./operation-routes.ts";
import { readPages, readRecords } from "./paginate.ts";
import { KnownSecrets, redactor } from "./redaction.ts";
import { DEFAULT_MAX_RESPONSE_BYTES } from "./response-body.ts";
import { returnsList, streamRecords } from "./stream-records.ts";
import { createTransport } from "./transport.ts";

/** Whether a record in a list, at any depth, has the key. A key outside a list may only repeat the query. */
function listsKey(data: unknown, field: string, key: string): boolean {
  const rest = [data];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value !== "object" || value === null) continue;
    if (Array.isArray(value) && value.some((record) => String(record?.[field]) === key)) return true;
    for (const inner of Object.values(value)) rest.push(inner);
  }
  return false;
}

/** Returns a function that looks for a key in the list of created records. Without such a list, or if it cannot be read, nothing is found. */
function keyLookUp(registry: Readonly<Record<string, Operation>>, routes: Routes, context: () => CallContext): CallContext["isListed"] {
  return async ({ idempotencyKey }, key, options) => {
    const { field = "", listedBy = "" } = idempotencyKey ?? {};
    const list = registry[listedBy];
    if (list === undefined || serverOf(list, routes) === undefined) return false;
    const query = { query: { [field]: key } };
    const listed = await callOperation(list, query, options, context(), performance.now()).catch(() => undefined);
    return listsKey(listed?.data, field, key);
  };
}

function checkedOperation(operation: Operation): Operation {
  if (typeof operation === "object" && operation !== null && "input" in operation) return operation;
  throw new FleetError("input", "request: the operation must come from defineOperation", {
    advice: "Create the operation with defineOperation",
  });
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

/** `iterate` and `pages`, if the operation has pages or returns a list. */
function iteratorsOf(operation: Operation, context: CallContext) {
  const { paging } = operation;
  if (paging) {
    const iterator =
      (read: typeof readRecords) =>
      (input: unknown, options: CallOptions = {}) =>
        read(operation, paging, input, (page) => callOperation(operation, page, options, context));
    return { iterate: iterator(readRecords), pages: iterator(readPages) };
  }
  if (!returnsList(operation)) return {};
  return { iterate: (input: unknown, options: CallOptions = {}) => streamRecords(operation, input, options, context) };
}

/**
 * Creates a client for the fleet service. Every failure is a {@link FleetError}.
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
  const customFetch = options.fetch !== undefined;
  const basic = basicCredentials(credentials);
  let calls = 0;
  const registry: Record<OperationName, Operation> = {
    ...operations,
    requestAccessToken: { ...operations.requestAccessToken, path: options.tokenPath ?? operations.requestAccessToken.path },
  };
  const requestToken = async (signal: AbortSignal) =>
    (await callOperation(registry.requestAccessToken, {}, { signal }, { ...context, limit: noLimit })).data as AccessToken;

  const context: CallContext = {
    send: createTransport(fetch, { maxResponseBytes, responseBody: "whole", customFetch }),
    open: createTransport(fetch, { maxResponseBytes, responseBody: "stream", customFetch }),
    defaults: options,
    basic,
    tokens: createTokenSource(requestToken, now, store),
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
    secrets: new KnownSecrets(() => [credentials.clientId, credentials.clientSecret, basic, ...context.tokens.secrets()]),
    serverOf(operation) {
      const url = serverOf(operation, options);
      if (url !== undefined) return url;
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
    generateKeys: options.jobNumbers !== "service",
    isListed: keyLookUp(registry, options, () => context),
  };

  const methods = Object.entries(registry).map(([name, operation]) => [name, methodOf(operation, context)]);
  return Object.freeze({ ...Object.fromEntries(methods), request: requestMethod(context) }) as FleetClient;
}
