import type { Effect } from "@fleetwire/core";
import { largestWithinBudget } from "./budget.ts";
import { singleLine } from "./clip-values.ts";
import { type Noun, pluralize } from "./pluralize.ts";
import type { Render, ToolResult } from "./tool-result.ts";

/** Who or what a name may stand for. */
interface Candidate {
  /** For people: a name, with what tells it from others in brackets. */
  label: string;
  /** For programs: its ids and names. */
  record: Readonly<Record<string, unknown>>;
}

/** A name that stands for several entities or for none. */
export interface UnresolvedName {
  result: "ambiguous" | "notFound";
  /** The argument that holds the name. */
  field: string;
  said: string;
  noun: Noun;
  /** All that fit, or the nearest. */
  candidates: readonly Candidate[];
  /** What tells one from another, where the budget has no room for candidates. */
  distinguishedBy: string;
  /** A sentence on what else can be done. */
  alternative?: string | undefined;
}

const MAX_CANDIDATES_SHOWN = 4;
const MAX_NAME_LENGTH = 60;

/** Thrown by whatever needs to know what a name means; the result of the call is then a question to the user, in every tool the same. */
export class NameQuestion extends Error {
  readonly unresolved: UnresolvedName;

  constructor(unresolved: UnresolvedName) {
    super(`${unresolved.field}: ${unresolved.result}`);
    this.unresolved = unresolved;
  }
}

const listed = (labels: readonly string[], more: number) => `${labels.join("; ")}${more > 0 ? `; and ${more} more` : ""}`;

function resultOf(
  { result, field, said, noun, candidates, distinguishedBy, alternative }: UnresolvedName,
  effect: Effect,
  count: number,
): ToolResult {
  const name = `"${singleLine(said, MAX_NAME_LENGTH)}"`;
  const shown = candidates.slice(0, count);
  const labels = shown.map(({ label }) => label);
  const several = result === "ambiguous";
  const what = several ? `${pluralize(candidates.length, noun)} fit ${name}.` : `No ${noun[0]} fits ${name}.`;
  const choice = several
    ? `Which one is meant: ${listed(labels, candidates.length - count)}?`
    : labels.length === 1
      ? `Is ${labels[0]} meant?`
      : `Is one of these meant: ${listed(labels, 0)}?`;
  const question = `${what} ${count === 0 ? `What is the ${distinguishedBy}?` : choice}`;
  const next = count === 0 ? "it" : "the full name or what stands in brackets";
  const note = [
    ...(effect === "read" ? [] : ["Nothing was sent."]),
    `Ask the user, then call again with ${next} as ${field}.`,
    ...(alternative === undefined ? [] : [alternative]),
  ].join(" ");
  return {
    text: `${question} ${note}`,
    structured: {
      result,
      field,
      ...(several && { total: candidates.length }),
      candidates: shown.map(({ record }) => record),
      question,
      note,
    },
  };
}

/** The question that a name leaves open, with as many candidates as the budget holds. */
export function questionResult(unresolved: UnresolvedName, effect: Effect): Render {
  const most = Math.min(MAX_CANDIDATES_SHOWN, unresolved.candidates.length);
  return (budget) => largestWithinBudget(most, budget, (count) => resultOf(unresolved, effect, count)) ?? resultOf(unresolved, effect, 0);
}

/** The members of a result that {@link questionResult} makes, for output schemas. */
export const questionProperties = {
  result: { type: "string", enum: ["ambiguous", "notFound"], description: "Only where a name is not sure" },
  field: { type: "string", description: "The argument that holds the name" },
  candidates: { type: "array", items: { type: "object" }, description: "What the name may stand for" },
  question: { type: "string", description: "What to ask the user" },
};
