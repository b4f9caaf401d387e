import { FleetError } from "@fleetwire/core";
import type * as z from "zod";
import type { ToolTexts } from "../model/tool.ts";

/** As many wrong entries are described within milliseconds, and more than any caller reads about. */
const MAX_WRONG_ENTRIES = 10_000;

const SLICE = 1000;

/** Refuses a long list with a wrong entry, without describing every other. Valid entries cost next to nothing, so their number is not limited. */
export function refuseLongWrongLists({ name, input }: Pick<ToolTexts, "name" | "input">, args: Readonly<Record<string, unknown>>): void {
  for (const [field, list] of Object.entries(args)) {
    const schema = input.shape[field] as z.ZodType | undefined;
    const fits = (value: unknown) => schema?.safeParse(value, { jitless: true }).success;
    if (!Array.isArray(list) || list.length <= MAX_WRONG_ENTRIES || !fits([])) continue;
    for (let at = 0; at < list.length; at += SLICE) {
      if (fits(list.slice(at, at + SLICE))) continue;
      throw new FleetError("input", `${name}: ${field}: some of its ${list.length} entries are invalid`, {
        advice: `Pass at most ${MAX_WRONG_ENTRIES} entries to see which`,
      });
    }
  }
}
