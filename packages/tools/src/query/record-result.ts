import type { ToolResult } from "../model/tool-result.ts";
import { questionProperties } from "../names/name-question.ts";
import { type ClipLimits, cell, DEFAULT_LIMITS, isClipped, SHORTENED_NOTE, singleLine, TIGHT_LIMITS } from "../text/clip-values.ts";
import type { ZonedTimes } from "../text/time.ts";
import { largestWithinBudget, leftOutNote, noteWithinBudget } from "../text/token-budget.ts";
import { type Columns, shownValue } from "./list-result.ts";

/**
 * Renders a single record, one field per line. Drops fields from the end until it fits the budget. Remarks follow the headline, and the
 * record's note repeats both. Always returns a result, even over budget, because the outcome of a write must be reported.
 */
export function recordResult(
  headline: string,
  name: string,
  record: object,
  { columns = {}, times }: { columns?: Columns; times: ZonedTimes },
  budget: number,
  remarks: readonly string[] = [],
): ToolResult {
  const fields = Object.entries<unknown>({ ...record })
    .filter(([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([field, value]) => ({ name: field, field: singleLine(field, 64), value }));

  const rendered = (count: number, limits: ClipLimits, shownRemarks = remarks): ToolResult => {
    const shown = fields.slice(0, count).map((one) => ({ ...one, ...shownValue(one.value, columns[one.name], times, limits) }));
    const left = [...(shownRemarks.length < remarks.length ? ["remarks"] : []), ...fields.slice(count).map(({ field }) => field)];
    const cuts = [
      ...(left.length > 0 ? [leftOutNote(left)] : []),
      ...(shown.some(({ value }) => isClipped(value, limits)) ? [SHORTENED_NOTE] : []),
    ];
    const zone = shown.some(({ isInstant }) => isInstant) ? [times.note] : [];
    const [cutNote, note] = [noteWithinBudget(cuts, budget), noteWithinBudget([headline, ...shownRemarks, ...zone, ...cuts], budget)];
    return {
      text: [
        [headline, ...shownRemarks, ...zone].join(" "),
        ...shown.map(({ field, text }) => `${field}: ${cell(text, limits)}`),
        ...(cutNote ? [cutNote] : []),
      ].join("\n"),
      structured: { [name]: Object.fromEntries(shown.map(({ field, record }) => [field, record])), note },
    };
  };

  return (
    largestWithinBudget(fields.length, budget, (count) => rendered(count, DEFAULT_LIMITS), Math.min(1, fields.length)) ??
    largestWithinBudget(fields.length, budget, (count) => rendered(count, TIGHT_LIMITS)) ??
    rendered(1, TIGHT_LIMITS, [])
  );
}

/** The JSON Schema for a write, which returns {@link recordResult} or says why nothing was sent. */
export function writeOutputSchema(name: string, properties: Record<string, unknown>): Record<string, unknown> {
  const text = { type: "string" };
  return {
    type: "object",
    properties: {
      [name]: { type: "object", properties },
      ...questionProperties,
      result: {
        ...text,
        enum: ["dryRun", "declined", "cancelled", "notAsked", "confirmationNeeded", ...questionProperties.result.enum],
        description: "Why nothing was sent",
      },
      total: { type: "integer", description: "Total candidates" },
      request: { type: "object", description: "What would be sent" },
      preview: { type: "array", items: text, description: "What would be sent, in words" },
      confirmation: { ...text, description: "Pass back once the user agrees" },
      note: { ...text, description: "Remarks and omissions" },
    },
  };
}
