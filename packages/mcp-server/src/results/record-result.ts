import { FleetError } from "@fleetwire/core";
import { cell, clipped, isClipped, type Lengths, plainText, SHORTENED, TIGHT, USUAL } from "./cell.ts";
import { largestFitting, leftOut, noteOf, type ToolResult } from "./tool-result.ts";

/** One record, a line a field, cut to the budget; the first fields are the last to go. Remarks stand behind the headline, and in the record's note. */
export function recordResult(headline: string, name: string, record: object, budget: number, remarks: readonly string[] = []): ToolResult {
  const fields = Object.entries<unknown>({ ...record })
    .filter(([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0))
    .map(([field, value]): [string, unknown] => [plainText(field, 64), value]);

  const resultOf = (count: number, lengths: Lengths): ToolResult => {
    const shown = fields.slice(0, count);
    const cuts = [
      ...(count < fields.length ? [leftOut(fields.slice(count).map(([field]) => field))] : []),
      ...(shown.some(([, value]) => isClipped(value, lengths)) ? [SHORTENED] : []),
    ];
    const [cutNote, note] = [noteOf(cuts, budget), noteOf([...remarks, ...cuts], budget)];
    return {
      text: [
        [headline, ...remarks].join(" "),
        ...shown.map(([field, value]) => `${field}: ${cell(value, lengths)}`),
        ...(cutNote ? [cutNote] : []),
      ].join("\n"),
      structured: { [name]: Object.fromEntries(shown.map(([field, value]) => [field, clipped(value, lengths)])), note },
    };
  };

  const fitting =
    largestFitting(fields.length, budget, (count) => resultOf(count, USUAL), Math.min(1, fields.length)) ??
    largestFitting(fields.length, budget, (count) => resultOf(count, TIGHT));
  if (fitting) return fitting;
  throw new FleetError("contract", `${headline} It does not fit FLEET_MAX_RESULT_TOKENS`, {
    advice: "Raise the budget; do not repeat the call",
  });
}

/** The JSON Schema of what {@link recordResult} gives of a write, which may also end before anything is sent. */
export function writeOutputSchema(name: string, properties: Record<string, unknown>): Record<string, unknown> {
  const text = { type: "string" };
  return {
    type: "object",
    properties: {
      [name]: { type: "object", properties },
      result: { ...text, enum: ["dryRun", "declined", "cancelled", "confirmationNeeded"], description: "Why nothing was sent" },
      request: { type: "object", description: "What would be sent" },
      preview: { type: "array", items: text, description: "What would be sent, in words" },
      confirmation: { ...text, description: "To be sent back once the person agreed" },
      note: { ...text, description: "Remarks, and what was left out" },
    },
  };
}
