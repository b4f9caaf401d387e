import type { OperationName } from "@fleetwire/core";
import * as z from "zod";
import { conditionOf, type Source } from "./conditions.ts";
import { conditionNames, parseArguments, ruleArguments, type WatchRule, type When } from "./rules.ts";
import { eventOf } from "./watch-event.ts";

/** The lists that are read besides the live positions. */
const FURTHER: Readonly<Record<Source, readonly OperationName[]>> = {
  position: [],
  faults: ["listVehicleFaults"],
  hours: ["queryTachoActivity"],
  job: ["listJobs"],
};

/** The operations that are read for a condition. */
export const operationsOf = (when: When): readonly OperationName[] => ["listLivePositions", ...FURTHER[conditionOf({ when }).source]];

/** A kind of event that a program may wait for, with the JSON Schemas of what it passes and of what it receives. */
export interface WatchEventType {
  name: When;
  description: string;
  /** The operations that are read for it. */
  operations: readonly OperationName[];
  /** A rule without `id` and `when`. */
  inputSchema: Readonly<Record<string, unknown>>;
  /** A `WatchEvent` without `rule`. */
  payloadSchema: Readonly<Record<string, unknown>>;
  /** Returns the rule with these arguments; throws a `FleetError` with the code `input` that names each that is wrong. */
  rule: (given: unknown) => WatchRule;
}

const jsonSchemaOf = (schema: z.ZodType, io: "input" | "output") => z.toJSONSchema(schema, { io }) as Record<string, unknown>;

/** Returns the kinds of events, one for each condition. */
export const watchEventTypes = (): WatchEventType[] =>
  conditionNames.map((name) => {
    const { reports: description } = conditionOf({ when: name });
    return {
      name,
      description,
      operations: operationsOf(name),
      inputSchema: jsonSchemaOf(ruleArguments(name), "input"),
      payloadSchema: jsonSchemaOf(eventOf(name), "output"),
      rule: (given) => parseArguments(name, given),
    };
  });
