import * as z from "zod";
import { conditionNames } from "./rules.ts";

const text = z.string().optional();

const fields = z.object({
  id: z
    .string()
    .describe("Computed from the rule, whom it is about and the record that caused it: the same event has the same id whenever it is sent"),
  rule: text.describe("The id of the rule; absent if when is noData"),
  when: z.enum([...conditionNames, "noData"]).describe("The condition, or noData if the service has been failing for minutes"),
  text: z.string().describe("One sentence that says what happened"),
  vehicle: z.object({ id: text, name: text, registration: text }).optional(),
  driver: z.object({ id: text, name: text }).optional(),
  job: z.object({ id: text, number: text }).optional(),
  at: z.string().describe("When it happened, in UTC"),
  seen: z.string().describe("When it was noticed, in UTC"),
  late: z.literal(true).optional().describe("Set if it was noticed more than five minutes after it happened"),
  cause: z.record(z.string(), z.unknown()).describe("The values that show it, and the date of the record that began it"),
});

/** Something that a rule waited for. Names in it are those that a model may see, and data, never instructions. */
export type WatchEvent = z.output<typeof fields>;

/** The event of a rule that is known by its condition alone. */
export const eventOf = (when: WatchEvent["when"]): z.ZodType<Omit<WatchEvent, "rule">> =>
  fields.omit({ rule: true }).extend({ when: z.enum([when, "noData"]).describe(fields.shape.when.description ?? "") });
