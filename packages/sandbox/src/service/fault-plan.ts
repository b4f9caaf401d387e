import { type OperationName, operations } from "@fleetwire/core";

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

export type FaultName = keyof typeof FAULTS;

/** Fields with documented values, each with one that is not. The other operations have none. */
export const UNDOCUMENTED_VALUES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
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
