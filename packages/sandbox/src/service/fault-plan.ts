import { type OperationName, operations } from "@fleetwire/core";
import { draw, topic } from "../simulation/random.ts";

/** Every fault that can be asked for, and what it does; the help text and the README say the same. */
export const FAULTS = {
  latency: "waits before the work; =MS, 1000 where absent",
  "429": "answers 429 in place of the work; Retry-After is 1 s, =SECONDS, or =date and =date:SECONDS for the date form",
  "500": "answers 500 in place of the work",
  "503": "answers 503 in place of the work; =SECONDS adds Retry-After",
  redirect: "answers 302 in place of the work; =URL, the same path on localhost where absent",
  "reset-before": "resets the connection in place of the work",
  "reset-after": "does the work, then resets the connection: the lost answer",
  "slow-body": "sends the body in ten pieces; =MS for all of it, 3000 where absent",
  "stalled-body": "sends half of the body and then nothing",
  "cut-body": "sends half of the body and then ends the connection",
  "truncated-json": "ends the answer properly after half of its JSON",
  "invalid-json": "sends text that is no JSON",
  "drift-enum": "puts an unknown value into an enum field of one record",
  "drift-extra": "puts an unknown field into one record",
  "drift-null": "puts null into a field of one record",
  "drift-type": "puts a value of a wrong type into a field of one record",
} as const;

export type FaultName = keyof typeof FAULTS;

export interface RequestedFault {
  readonly name: FaultName;
  /** Text after the equals sign. */
  readonly value: string | undefined;
  /** Share of the requests that it strikes, 0 to 1. */
  readonly rate: number;
  /** The only operation that it strikes. */
  readonly operation: OperationName | undefined;
}

const FORM = /^(?:([A-Za-z]+):)?([a-z0-9-]+)(?:=([^@]*))?(?:@([0-9.]+))?$/;
const WITH_VALUE: readonly FaultName[] = ["latency", "429", "503", "redirect", "slow-body"];
const LONGEST_WAIT_MS = 600_000;

function checkValue(name: FaultName, value: string): boolean {
  if (name === "redirect") return URL.canParse(value);
  const number = name === "429" ? value.replace(/^date:?/, "") : value;
  if (name === "429" && value === "date") return true;
  return /^\d{1,6}$/.test(number) && Number(number) <= LONGEST_WAIT_MS;
}

/**
 * Reads faults written `[operation:]fault[=value][@rate]`, separated by commas, such as `latency=200, createJob:reset-after@0.1`.
 * Throws a RangeError that names what it cannot read.
 */
export function readFaults(text: string): RequestedFault[] {
  const entries = text.split(",").map((entry) => entry.trim());
  return entries
    .filter((entry) => entry !== "")
    .map((entry) => {
      const [, operation, name = "", value, rate = "1"] = FORM.exec(entry) ?? [];
      if (!Object.hasOwn(FAULTS, name)) throw new RangeError(`"${entry}" is no fault; known are ${Object.keys(FAULTS).join(", ")}`);
      if (operation !== undefined && !Object.hasOwn(operations, operation)) throw new RangeError(`"${entry}" names no operation`);
      if (!(Number(rate) >= 0 && Number(rate) <= 1)) throw new RangeError(`"${entry}" needs a rate from 0 to 1`);
      const fault = name as FaultName;
      if (value !== undefined && !(WITH_VALUE.includes(fault) && checkValue(fault, value)))
        throw new RangeError(`"${entry}" has a value that it cannot take`);
      return { name: fault, value, rate: Number(rate), operation: operation as OperationName | undefined };
    });
}

const STRIKES = topic("fault strikes");

/** Says which faults strike the next request of an operation; with the same seed and the same requests they are the same ones. */
export type FaultDice = (operation: string, asked: readonly RequestedFault[]) => RequestedFault[];

export function faultDice(seed: number): FaultDice {
  let requests = 0;
  return (operation, asked) => {
    const request = requests++;
    const mine = asked.filter((fault) => fault.operation === undefined || fault.operation === operation);
    return mine.filter((fault, ordinal) => draw(seed, STRIKES, request, ordinal) < fault.rate);
  };
}
