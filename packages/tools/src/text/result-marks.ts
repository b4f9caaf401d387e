import type { FleetErrorCode } from "@fleetwire/core";
import type { ToolResult } from "../model/tool.ts";

/** How old the data of a result is. */
export interface DataAge {
  seconds: number;
  /** Why there is no newer data; undefined if nothing failed. */
  failure?: FleetErrorCode | undefined;
}

const failing = (code: FleetErrorCode) => `The service is failing (${code}), so there is nothing newer.`;

const lineOf = ({ seconds, failure }: DataAge) => `\nRead ${seconds} s ago.${failure ? ` ${failing(failure)}` : ""}`;
const fieldOf = ({ seconds, failure }: DataAge) => ({ readSecondsAgo: seconds, ...(failure && { outdated: failing(failure) }) });

/** The number of tokens that {@link withAge} adds to the text and the record together. */
export function ageTokens(age: DataAge): number {
  // JSON.stringify adds two quotes to the line, and two braces to the field, of which the record needs only a comma.
  return Math.ceil((JSON.stringify(lineOf(age)).length - 2 + JSON.stringify(fieldOf(age)).length - 1) / 4);
}

/** Adds the age of its data to a result. */
export const withAge = ({ text, structured }: ToolResult, age: DataAge): ToolResult => ({
  text: text + lineOf(age),
  structured: { ...structured, ...fieldOf(age) },
});

/** Whether {@link withAge} has stated that the data is old because the service fails. */
export const isOutdated = (structured: object): boolean => "outdated" in structured;

/** Adds the field set by {@link withAge} to an output schema. */
export function schemaWithAge({ properties, ...schema }: Record<string, unknown>): Record<string, unknown> {
  const readSecondsAgo = { type: "integer", description: "Age of the data; absent if just read" };
  const outdated = { type: "string", description: "Why the data is old" };
  return { ...schema, properties: { ...(properties as object), readSecondsAgo, outdated } };
}

/** The source of a result. */
interface Origin {
  /** Whether the fleet is the sandbox's. */
  sandbox?: boolean | undefined;
}

const MARK = "[sandbox] ";
const FIELD = { sandbox: true } as const;

/** The number of tokens that the mark adds to the text and the record together. */
export const MARK_TOKENS = Math.ceil((MARK.length + JSON.stringify(FIELD).length) / 4);

/** Marks text from the sandbox. The record is marked too, because a host may show the model only one of them. */
export const markedText = (text: string, { sandbox }: Origin): string => (sandbox ? `${MARK}${text}` : text);

export const markedRecord = <Record extends object>(record: Record, { sandbox }: Origin): Record & { sandbox?: true } =>
  sandbox ? { ...FIELD, ...record } : record;
