import { FleetError } from "@fleetwire/core";
import * as z from "zod";
import { singleLine } from "../text/clip-values.ts";
import { conditionNames, conditionOf, type FieldsOf, minutes, name, type When } from "./conditions.ts";

const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 06:30");

/** The key of a rule is computed from its fields in this order. */
const common = {
  id: z.string().regex(/^[\w.-]{1,64}$/, "must be 1 to 64 letters, digits, dots, dashes or underscores"),
  vehicle: name.optional(),
  driver: name.optional(),
  group: name.optional(),
  coolDownMinutes: minutes.optional(),
  between: z.tuple([timeOfDay, timeOfDay]).optional(),
  until: z.iso.datetime({ offset: true }).optional(),
  late: z.enum(["tell", "drop"]).default("tell"),
};

const ruleOf = <W extends When>(when: W) =>
  z.strictObject({ ...common, when: z.literal(when), ...(conditionOf({ when }).fields as FieldsOf<W>) });

type RuleSchema = { [W in When]: ReturnType<typeof ruleOf<W>> }[When];

const rule = z.discriminatedUnion("when", conditionNames.map(ruleOf) as unknown as [RuleSchema], {
  error: `when must be one of ${conditionNames.join(", ")}`,
});

export type WatchRule = z.output<RuleSchema>;

/** Milliseconds for which the condition must hold. */
export const dwellOf = (one: WatchRule): number => ("forMinutes" in one ? (one.forMinutes ?? 0) * 60_000 : 0);

/** What a program or a file may pass: the fields with defaults may be left out. */
export type WatchRuleInput = z.input<RuleSchema>;

const MAX_RULES = 10_000;
const MAX_PROBLEMS = 5;

/** Says what in a rule contradicts the rest of it. */
function contradictionIn({ when, vehicle, driver, group }: WatchRule): string | undefined {
  if ([vehicle, driver, group].filter(Boolean).length > 1) return "name a vehicle, a driver or a group, not several";
  return when === "jobLate" && (driver ?? group) ? "jobLate is for a vehicle, or for all jobs" : undefined;
}

/** A file of rules: `{"rules": [...]}`. */
const watchRulesSchema = z.strictObject({ rules: z.array(rule).min(1).max(MAX_RULES) }).superRefine(({ rules }, check) => {
  const ids = new Set<string>();
  rules.forEach((one, at) => {
    const problem = (message: string, ...path: string[]) => check.addIssue({ code: "custom", path: ["rules", at, ...path], message });
    if (ids.has(one.id)) problem("another rule has this id", "id");
    ids.add(one.id);
    const contradiction = contradictionIn(one);
    if (contradiction !== undefined) problem(contradiction);
  });
});

const whereOf = (path: readonly PropertyKey[], given: unknown): string => {
  const [first, index, ...rest] = path;
  if (first !== "rules" || typeof index !== "number") return path.join(".") || "rules";
  const id = (given as { rules?: { id?: unknown }[] } | undefined)?.rules?.[index]?.id;
  return [typeof id === "string" ? `rule ${singleLine(id, 64)}` : `rule ${index + 1}`, ...rest.map(String)].join(".");
};

const TYPES: Readonly<Record<string, string>> = { number: "a number", string: "a text", array: "a list", tuple: "a list" };

/** What a value of another type, or none, should have been. */
const error: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== "invalid_type") return undefined;
  const expected = `must be ${TYPES[issue.expected] ?? "an object"}`;
  return issue.input === undefined ? `is missing, and ${expected}` : expected;
};

/** Checks rules, and throws a `FleetError` with the code `input` that names each rule that is wrong. */
export function parseRules(given: unknown): WatchRule[] {
  const parsed = watchRulesSchema.safeParse(given, { error });
  if (parsed.success) return parsed.data.rules;
  const { issues } = parsed.error;
  const problems = issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => `${whereOf(path, given)}: ${message}`);
  const more = issues.length - problems.length;
  throw new FleetError("input", `rules: ${problems.join("; ")}${more > 0 ? `; and ${more} more` : ""}`, {
    advice: "Correct the rules listed",
  });
}

/**
 * Makes a rule of one condition, which has the name of its condition as its id. Throws a `FleetError` with the code `input` that names each field
 * that is wrong.
 */
export function parseArguments(when: When, fields: object): WatchRule {
  const parsed = ruleOf(when).safeParse({ ...fields, id: when, when }, { error });
  const found = parsed.success ? (parsed.data as WatchRule) : undefined;
  const contradiction = found && contradictionIn(found);
  if (found !== undefined && contradiction === undefined) return found;
  const issues = parsed.error?.issues ?? [];
  const problems = issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => [...path.map(String), message].join(": "));
  throw new FleetError("input", `arguments: ${contradiction ?? problems.join("; ")}`, { advice: "Correct the arguments" });
}
