import type { Effect } from "@fleetwire/core";
import type { Render, ToolResult } from "../model/tool.ts";
import { singleLine } from "../text/clip-values.ts";
import { type Noun, pluralize } from "../text/pluralize.ts";
import { largestWithinBudget } from "../text/token-budget.ts";

/** An entity that a name may refer to. */
interface Candidate {
  /** For the user: the name, with distinguishing details in brackets. */
  label: string;
  /** For programs: ids and names. */
  record: Readonly<Record<string, unknown>>;
}

/** A name that matches no entity, or more than one. */
export interface UnresolvedName {
  result: "ambiguous" | "notFound";
  /** The argument that holds the name. */
  field: string;
  query: string;
  noun: Noun;
  /** The number of matches, or of similar names if nothing matches. */
  total: number;
  /** The first of them. */
  candidates: readonly Candidate[];
  /** What tells candidates apart, such as the registration; asked for if the budget leaves no room to list any. */
  distinguishedBy: string;
  /** A sentence on what part of the query does match. */
  remark?: string | undefined;
  /** A sentence that suggests an alternative. */
  alternative?: string | undefined;
}

/** Up to eight candidates are all shown; of more, only the first four, since the user has to be more specific anyway. */
export const MAX_CANDIDATES = 8;
const FIRST_OF_MANY = 4;
const MAX_NAME_LENGTH = 60;

/** Thrown if a name is not certain. The tool then returns a question for the user. */
export class NameQuestion extends Error {
  readonly unresolved: UnresolvedName;

  constructor(unresolved: UnresolvedName) {
    super(`${unresolved.field}: ${unresolved.result}`);
    this.unresolved = unresolved;
  }
}

function questionWith(unresolved: UnresolvedName, effect: Effect, count: number): ToolResult {
  const { result, field, query, noun, total, candidates, distinguishedBy, remark, alternative } = unresolved;
  const name = `"${singleLine(query, MAX_NAME_LENGTH)}"`;
  const shown = candidates.slice(0, count);
  const labels = shown.map(({ label }) => label).join("; ");
  const several = result === "ambiguous";
  const what = several
    ? `${pluralize(total, noun)} match ${name}.`
    : [`No ${noun[0]} matches ${name}.`, ...(remark === undefined ? [] : [remark])].join(" ");
  const choice = several
    ? `Which one: ${labels}${total > count ? `; and ${total - count} more` : ""}?`
    : `Did you mean ${count === 1 ? "" : "one of these: "}${labels}?`;
  const question = `${what} ${count === 0 ? `What is the ${distinguishedBy}?` : choice}`;
  const next = count === 0 ? "it" : "the full name or the text in brackets";
  const note = [
    ...(effect === "read" ? [] : ["Nothing was sent."]),
    `Ask the user, then call again with ${next} as ${field}.`,
    ...(alternative === undefined ? [] : [alternative]),
  ].join(" ");
  const record = { result, field, ...(several && { total }), candidates: shown.map(({ record }) => record), question, note };
  return { text: `${question} ${note}`, structured: record };
}

/** Renders a question about a name, with as many candidates as fit the budget. */
export function questionResult(unresolved: UnresolvedName, effect: Effect): Render {
  const max = unresolved.total > MAX_CANDIDATES ? FIRST_OF_MANY : unresolved.candidates.length;
  const withCount = (count: number) => questionWith(unresolved, effect, count);
  return (budget) => largestWithinBudget(max, budget, withCount) ?? withCount(0);
}

/** Output schema properties for the fields of {@link questionResult}. */
export const questionProperties = {
  result: { type: "string", enum: ["ambiguous", "notFound"], description: "Only if a name is uncertain" },
  field: { type: "string", description: "The argument with the name" },
  candidates: { type: "array", items: { type: "object" }, description: "Possible matches" },
  question: { type: "string", description: "What to ask the user" },
};
