import { type OperationName, operations } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import { draw, topic } from "../simulation/random.ts";
import { refusalResponse, refuse } from "./refusal.ts";

/** Every fault and its effect, as shown in the help text. */
export const FAULTS = {
  latency: "delays the request; =MS, default 1000",
  "429": "responds with 429 without doing the work; Retry-After is 1 s, =SECONDS, or a date with =date or =date:SECONDS",
  "500": "responds with 500 without doing the work",
  "503": "responds with 503 without doing the work; =SECONDS adds Retry-After",
  redirect: "responds with 302 without doing the work; =URL, by default the same path on localhost",
  "reset-before": "resets the connection without doing the work",
  "reset-after": "does the work, then resets the connection: a lost response",
  "slow-body": "sends the body in ten pieces; =MS in total, default 3000",
  "stalled-body": "sends half of the body, then stalls",
  "cut-body": "sends half of the body, then closes the connection",
  "truncated-json": "ends the response cleanly after half of its JSON",
  "invalid-json": "sends text that is not JSON",
  "drift-enum": "puts an undocumented value into a field of one record that has documented ones: of live positions, jobs and tokens",
  "drift-extra": "adds an undocumented field to one record",
  "drift-null": "sets a field of one record to null",
  "drift-type": "gives a field of one record the wrong type",
} as const;

type FaultName = keyof typeof FAULTS;

/** Fields with documented values, each with one that is not. The other operations have none. */
const UNDOCUMENTED_VALUES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  requestAccessToken: { token_type: "Bearer" },
  listLivePositions: { eventType: "teleporting", energyType: "NUCLEAR", engineTotalHoursType: "GUESSED" },
  createJob: { primaryResource: "ROBOT", status: "PARKED_ON_THE_MOON" },
} satisfies Partial<Record<OperationName, object>>;

export interface RequestedFault {
  readonly name: FaultName;
  /** The part after the equals sign. */
  readonly value: string | undefined;
  /** The fraction of requests to inject it into, 0 to 1. */
  readonly rate: number;
  /** The only operation to inject it into. */
  readonly operation: OperationName | undefined;
}

const FORM = /^(?:([A-Za-z]+):)?([a-z0-9-]+)(?:=([^@]*))?(?:@([0-9.]+))?$/;
const WITH_VALUE: readonly FaultName[] = ["latency", "429", "503", "redirect", "slow-body"];
const MAX_DELAY_MS = 600_000;

function checkValue(name: FaultName, value: string): boolean {
  if (!WITH_VALUE.includes(name)) return false;
  if (name === "redirect") return URL.canParse(value);
  const number = name === "429" ? value.replace(/^date:?/, "") : value;
  if (name === "429" && value === "date") return true;
  return /^\d{1,6}$/.test(number) && Number(number) <= MAX_DELAY_MS;
}

/**
 * Parses a comma-separated list of `[operation:]fault[=value][@rate]`, such as `latency=200, createJob:reset-after@0.1`. Throws a RangeError that
 * quotes an invalid entry.
 */
export function readFaults(text: string): RequestedFault[] {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries
    .filter((entry) => entry !== "")
    .map((entry) => {
      const [, operation, name = "", value, rate = "1"] = FORM.exec(entry) ?? [];
      if (!Object.hasOwn(FAULTS, name)) throw new RangeError(`"${entry}" is not a fault; faults: ${Object.keys(FAULTS).join(", ")}`);
      if (operation !== undefined && !Object.hasOwn(operations, operation)) throw new RangeError(`"${entry}" names an unknown operation`);
      if (name === "drift-enum" && operation !== undefined && !Object.hasOwn(UNDOCUMENTED_VALUES, operation))
        throw new RangeError(
          `"${entry}" changes nothing: no field of ${operation} has documented values. Use drift-extra, drift-null or drift-type`,
        );
      if (!(Number(rate) >= 0 && Number(rate) <= 1)) throw new RangeError(`"${entry}" has an invalid rate; use 0 to 1`);
      const fault = name as FaultName;
      if (value !== undefined && !checkValue(fault, value)) throw new RangeError(`"${entry}" has an invalid value`);
      return { name: fault, value, rate: Number(rate), operation: operation as OperationName | undefined };
    });
}

type Fields = Record<string, unknown>;

/** The record to change: the middle one of a list, otherwise the innermost main object. */
function recordOf(body: unknown): Fields | undefined {
  if (Array.isArray(body)) return recordOf(body[Math.floor(body.length / 2)]);
  if (!isRecord(body)) return undefined;
  const inner = body["items"] ?? body["data"] ?? body["job"] ?? body["jobs"] ?? body["events"];
  return inner === undefined ? body : (recordOf(inner) ?? body);
}

function wrongType(value: unknown): unknown {
  if (typeof value === "number") return `about ${value}`;
  return typeof value === "string" ? { text: value } : "none";
}

/** Changes one record in a response, as a newer or faulty service might. */
function applyDrift(body: unknown, fault: FaultName, operation: string): void {
  const record = recordOf(body);
  if (!record) return;
  const fields = Object.keys(record);
  const plain = fields.filter((field) => ["string", "number"].includes(typeof record[field]));
  const target = plain.find((field) => typeof record[field] === "number") ?? plain.at(-1);
  if (fault === "drift-extra") record["addedByAnotherVersion"] = { since: "v2" };
  else if (fault === "drift-enum") {
    const values = UNDOCUMENTED_VALUES[operation] ?? {};
    const field = fields.find((name) => Object.hasOwn(values, name));
    if (field !== undefined) record[field] = values[field];
  } else if (target !== undefined) record[target] = fault === "drift-null" ? null : wrongType(record[target]);
}

/** The header that requests faults. */
const FAULT_HEADER = "x-sandbox-fault";

/** Thrown instead of a response: `fetch` rejects with it in process, and over HTTP the connection is reset. */
export class ConnectionReset extends TypeError {
  readonly code = "ECONNRESET";

  constructor() {
    super("The sandbox reset the connection, as requested");
    this.name = "ConnectionReset";
  }
}

/** Lets a fault close a request's connection, and a log name its operation; empty for requests in process. */
export interface Connection {
  /** Closes the connection immediately, discarding unsent data. */
  readonly cut?: () => void;
  /** Called with the name of the operation that the request is for. */
  readonly identify?: (operation: string) => void;
}

/** What faults need to know about a request. */
interface FaultContext {
  readonly operation: string;
  readonly request: Request;
  readonly connection: Connection;
  /** epoch ms */
  readonly now: number;
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Retry-After in seconds, or as a date that many seconds ahead. */
function retryAfter(value: string, now: number): string {
  if (!value.startsWith("date")) return value;
  const seconds = Number(value.slice(5) || 1);
  return new Date(Math.ceil(now / 1000 + seconds) * 1000).toUTCString();
}

function replacementFor(fault: RequestedFault, request: Request, now: number): Response | undefined {
  const { name, value } = fault;
  const message = "This fault was requested";
  if (name === "reset-before") throw new ConnectionReset();
  if (name === "redirect") {
    const url = new URL(request.url);
    url.hostname = url.hostname === "localhost" ? "127.0.0.1" : "localhost";
    return new Response(null, { status: 302, headers: { Location: value ?? url.href } });
  }
  if (name !== "429" && name !== "500" && name !== "503") return undefined;
  const reason = ({ "429": "tooMany", "500": "failed", "503": "unavailable" } as const)[name];
  const response = refusalResponse(refuse(Number(name), reason, message));
  if (name === "429" || value !== undefined) response.headers.set("Retry-After", retryAfter(value ?? "1", now));
  return response;
}

const PIECES = 10;

/** Time for a socket to flush before it is closed, in ms. */
const FLUSH_MS = 30;

/** A body sent in pieces: slowly, or only half of it. */
function inPieces(bytes: Uint8Array, fault: FaultName, ms: number, { cut }: Connection): ReadableStream<Uint8Array> {
  let piece = 0;
  let release: (() => void) | undefined;
  const size = Math.ceil(bytes.byteLength / PIECES);
  const last = fault === "slow-body" ? PIECES : PIECES / 2;
  const end = async (stream: ReadableStreamDefaultController<Uint8Array>) => {
    if (fault === "slow-body") return stream.close();
    if (fault === "stalled-body") {
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    }
    if (!cut) return stream.error(new ConnectionReset());
    await wait(FLUSH_MS);
    cut();
    stream.close();
  };
  return new ReadableStream<Uint8Array>({
    pull: async (stream) => {
      if (piece === last) return end(stream);
      if (fault === "slow-body") await wait(ms / PIECES);
      stream.enqueue(bytes.slice(piece * size, ++piece * size));
    },
    cancel: () => release?.(),
  });
}

const sameHeaders = ({ status, headers }: Response) => {
  const withoutLength = new Headers(headers);
  withoutLength.delete("content-length");
  return { status, headers: withoutLength };
};

async function applyToResponse(
  response: Response,
  { name, value }: RequestedFault,
  { operation, connection }: FaultContext,
): Promise<Response> {
  if (name === "reset-after") {
    await response.body?.cancel();
    throw new ConnectionReset();
  }
  if (name === "slow-body" || name === "stalled-body" || name === "cut-body") {
    const bytes = new Uint8Array(await response.arrayBuffer());
    return new Response(inPieces(bytes, name, Number(value ?? 3000), connection), sameHeaders(response));
  }
  if (name === "truncated-json" || name === "invalid-json") {
    const text = await response.text();
    return new Response(name === "invalid-json" ? `<html>${text}` : text.slice(0, Math.floor(text.length / 2)), sameHeaders(response));
  }
  if (!name.startsWith("drift-") || response.status !== 200) return response;
  const body: unknown = await response.json();
  applyDrift(body, name, operation);
  return new Response(JSON.stringify(body), sameHeaders(response));
}

const STRIKES = topic("fault strikes");

/**
 * Handles requests with the faults configured for the sandbox now, and those in the request's header. Which requests get a fault depends only on the seed and
 * the requests so far.
 */
export function faultInjector(seed: number, configured: () => readonly RequestedFault[]) {
  let requests = 0;
  return async (context: FaultContext, work: () => Promise<Response>): Promise<Response> => {
    const { operation, request, now } = context;
    let requested: readonly RequestedFault[];
    try {
      requested = [...configured(), ...readFaults(request.headers.get(FAULT_HEADER) ?? "")];
    } catch (error) {
      return refusalResponse(refuse(400, "invalid", (error as Error).message, FAULT_HEADER));
    }
    const number = requests++;
    const applicable = requested.filter((fault) => fault.operation === undefined || fault.operation === operation);
    const faults = applicable.filter((fault, ordinal) => draw(seed, STRIKES, number, ordinal) < fault.rate);
    for (const { name, value } of faults) if (name === "latency") await wait(Number(value ?? 1000));
    for (const fault of faults) {
      const replacement = replacementFor(fault, request, now);
      if (replacement) return replacement;
    }
    let response = await work();
    for (const fault of faults) response = await applyToResponse(response, fault, context);
    return response;
  };
}
