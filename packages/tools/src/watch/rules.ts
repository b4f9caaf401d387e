import { FleetError } from "@fleetwire/core";
import * as z from "zod";
import { singleLine } from "../text/clip-values.ts";

const name = z.string().trim().min(1).max(200);
const minutes = z
  .number()
  .positive()
  .max(7 * 24 * 60);
const percent = z.number().min(1).max(100);
const METRES = { min: 50, max: 100_000 };

/** Where: exactly one of a location, a town, a circle and the surroundings of another vehicle. */
const place = z.union(
  [
    z.strictObject({ location: name }),
    z.strictObject({ town: name }),
    z.strictObject({
      lat: z.number().min(-90).max(90),
      lng: z.number().min(-180).max(180),
      radiusMetres: z.number().min(METRES.min).max(METRES.max),
    }),
    z.strictObject({ vehicle: name, radiusMetres: z.number().min(METRES.min).max(METRES.max).default(200) }),
  ],
  { error: 'must be {"location": ...}, {"town": ...}, {"lat", "lng", "radiusMetres"} or {"vehicle": ...}' },
);

const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 06:30");

const common = {
  id: z.string().regex(/^[\w.-]{1,64}$/, "must be 1 to 64 letters, digits, dots, dashes or underscores"),
  vehicle: name.optional().describe("Only this vehicle. Of vehicle, driver and group, pass one, or none for everyone"),
  driver: name.optional().describe("Only this driver"),
  group: name.optional().describe("Only this group"),
  coolDownMinutes: minutes.optional().describe("No second event about the same vehicle, driver or job within these minutes"),
  between: z
    .tuple([timeOfDay, timeOfDay])
    .optional()
    .describe("Only between these times of day, which may span midnight, in the time zone of the settings"),
  until: z.iso.datetime({ offset: true }).optional().describe("Until when the rule applies"),
  late: z.enum(["tell", "drop"]).default("tell").describe("Whether to report an event that is noticed late, because nobody was watching"),
};

/** The fields that each condition has besides the common ones. */
const conditionFields = {
  arrives: { at: place, forMinutes: minutes.optional() },
  leaves: { at: place, forMinutes: minutes.optional() },
  entersCountry: { country: name },
  starts: {},
  stops: { forMinutes: minutes },
  silent: { forMinutes: minutes },
  speedOver: { kmh: z.number().positive().max(250), forMinutes: minutes.optional() },
  fuelBelow: { percent },
  batteryBelow: { percent },
  chargingEnds: {},
  faultBegins: { code: name.optional(), lamp: name.optional() },
  becomesPrivate: {},
  driveTimeLeftBelow: { minutes },
  breakDueIn: { minutes },
  shiftEnds: { withinMinutes: minutes },
  jobLate: {},
} as const;

export type When = keyof typeof conditionFields;

const ruleOf = <W extends When>(when: W) => z.strictObject({ ...common, when: z.literal(when), ...conditionFields[when] });

export const conditionNames = Object.keys(conditionFields) as When[];

const UNITS: Readonly<Record<string, readonly string[]>> = { kmh: ["km/h"], percent: ["%"] };
const MINUTES = ["minutes", "min", "minute"];

/** What a condition is mainly about, for whoever passes a single value. */
export interface MainField {
  name: string;
  isRequired: boolean;
  /** Units of a number; undefined for a place or a text. */
  units: readonly string[] | undefined;
}

/** The first field of a condition; undefined if it has none. */
export function mainFieldOf(when: When): MainField | undefined {
  const [first] = Object.entries<z.ZodType>(conditionFields[when]);
  if (first === undefined) return undefined;
  const [name, schema] = first;
  const isRequired = !(schema instanceof z.ZodOptional);
  return { name, isRequired, units: schema instanceof z.ZodNumber ? (UNITS[name] ?? MINUTES) : undefined };
}

/** A rule of one condition, without its id and the condition. */
export const ruleArguments = (when: When): z.ZodType<Record<string, unknown>> => {
  const { id: _, ...fields } = common;
  return z.strictObject({ ...fields, ...conditionFields[when] });
};

const rule = z.discriminatedUnion(
  "when",
  [
    ruleOf("arrives"),
    ruleOf("leaves"),
    ruleOf("entersCountry"),
    ruleOf("starts"),
    ruleOf("stops"),
    ruleOf("silent"),
    ruleOf("speedOver"),
    ruleOf("fuelBelow"),
    ruleOf("batteryBelow"),
    ruleOf("chargingEnds"),
    ruleOf("faultBegins"),
    ruleOf("becomesPrivate"),
    ruleOf("driveTimeLeftBelow"),
    ruleOf("breakDueIn"),
    ruleOf("shiftEnds"),
    ruleOf("jobLate"),
  ],
  { error: `when must be one of ${conditionNames.join(", ")}` },
);

export type WatchRule = z.output<typeof rule>;
export type Place = z.output<typeof place>;

/** What a program or a file may pass: the fields with defaults may be left out. */
export type WatchRuleInput = z.input<typeof rule>;

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
 * Checks the arguments of a rule with one condition. The rule has the name of its condition as its id. Throws a `FleetError` with the code `input`
 * that names each argument that is wrong.
 */
export function parseArguments(when: When, given: unknown): WatchRule {
  const parsed = ruleArguments(when).safeParse(given, { error });
  const found = parsed.success ? ({ ...parsed.data, id: when, when } as WatchRule) : undefined;
  const contradiction = found && contradictionIn(found);
  if (found !== undefined && contradiction === undefined) return found;
  const issues = parsed.error?.issues ?? [];
  const problems = issues.slice(0, MAX_PROBLEMS).map(({ path, message }) => [...path.map(String), message].join(": "));
  throw new FleetError("input", `arguments: ${contradiction ?? problems.join("; ")}`, { advice: "Correct the arguments" });
}
