import * as z from "zod";
import { DISTANCE_UNITS } from "./distance.ts";
import { FleetError } from "./errors.ts";
import { inOneLine } from "./plain-text.ts";

const Instant = z.iso.datetime();
const Tally = z.int().nonnegative();

/** How one deployment behaves, which is never documented: so many records of those that could have said otherwise show it, seen from one time until another. */
const fact = { basis: z.literal("observed"), operation: z.string().min(1), records: Tally, of: Tally, from: Instant, until: Instant };

const path = z.string().describe("such as $[*].status");
const ListedValue = z.strictObject({ value: z.string().max(60), records: Tally });

/** The values of a field whose values the interface leaves open. */
const ValuesFact = z.strictObject({
  fact: z.literal("values"),
  path,
  values: z.array(ListedValue),
  withheld: Tally.describe("records with other values, which may be personal"),
  ...fact,
});

const ObservedField = z.strictObject({
  path,
  types: z.array(z.enum(["array", "boolean", "integer", "null", "number", "object", "string"])).min(1),
  records: Tally.describe("objects that have the field"),
  of: Tally.describe("objects that could have it"),
  values: z.array(ListedValue).optional().describe("if the field has few values, none of them personal"),
});

/** The fields of a body that the interface does not describe. */
const ShapeFact = z.strictObject({ fact: z.literal("shape"), fields: z.array(ObservedField), ...fact });

/** The units of the durations of tachograph activities, each in seconds. */
export const DURATION_UNITS = { ms: 0.001, s: 1, min: 60, h: 3600 } as const;

export type DurationUnit = keyof typeof DURATION_UNITS;

const unitNames = [...Object.keys(DURATION_UNITS), ...Object.keys(DISTANCE_UNITS)] as (DurationUnit | keyof typeof DISTANCE_UNITS)[];

/** The unit of a field. */
const UnitFact = z.strictObject({ fact: z.literal("unit"), path, unit: z.enum(unitNames), ...fact });

const ProfileFact = z.discriminatedUnion("fact", [ValuesFact, ShapeFact, UnitFact]);

export type ProfileFact = z.infer<typeof ProfileFact>;
export type FactOf<Kind extends ProfileFact["fact"]> = Extract<ProfileFact, { fact: Kind }>;
export type ObservedField = z.infer<typeof ObservedField>;

/** How one deployment resolves what the interface leaves open, as `fleetwire-contract learn` observed it. */
export const DeploymentProfile = z
  .strictObject({ $schema: z.string().optional(), version: z.literal(1), facts: z.array(ProfileFact) })
  .meta({
    title: "Deployment profile",
    description: "How one deployment resolves what the interface leaves open: observed, never documented",
  });

export type DeploymentProfile = z.infer<typeof DeploymentProfile>;

/** The path of tachograph activities in facts. */
export const ACTIVITIES_PATH = "$.data[*].activities[*]";

/** The facts of one kind; none without a profile. */
export const factsOf = <Kind extends ProfileFact["fact"]>(profile: DeploymentProfile | undefined, kind: Kind): FactOf<Kind>[] =>
  (profile?.facts ?? []).filter((fact): fact is FactOf<Kind> => fact.fact === kind);

/** A larger profile is refused, in characters. */
const MAX_LENGTH = 1_000_000;

/** Returns a profile, or what is wrong with it in one line, without its values. */
export function parseProfile(text: string): { profile: DeploymentProfile } | { problem: string } {
  if (text.length > MAX_LENGTH) return { problem: "it is larger than 1 MB" };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: "it is not JSON" };
  }
  const { success, data, error } = DeploymentProfile.safeParse(json);
  if (success) return { profile: data };
  const [issue] = error.issues;
  return { problem: inOneLine(`${issue?.path.join(".") || "the file"}: ${issue?.message}`.slice(0, 200)) };
}

/** Reads a profile. Throws a `config` error that says what is wrong with it, without its values. */
export function readProfile(text: string): DeploymentProfile {
  const parsed = parseProfile(text);
  if ("profile" in parsed) return parsed.profile;
  throw new FleetError("config", `configuration: the profile cannot be used: ${parsed.problem}`, {
    advice: "Write it again with fleetwire-contract learn",
  });
}
