import {
  clientVariables,
  type DeploymentProfile,
  type Environment,
  type FleetConfig,
  readVariables,
  type VariableTable,
  type VariableValues,
} from "@fleetwire/core";
import { type DistanceUnit, fleetConfigOf, oneOf, parseProfile, type ReadFile, withFileContents } from "@fleetwire/core/internal";
import type { ActivityKind } from "@fleetwire/driving-time";
import * as z from "zod";
import { signingKeyProblem } from "../runtime/signing-key.ts";

const ACTIVITY_KINDS = ["driving", "work", "availability", "rest", "unknown"] as const satisfies readonly ActivityKind[];

export type ActivityWords = Readonly<Record<string, (typeof ACTIVITY_KINDS)[number]>>;

/** The options of the client and the tools. Every option of the tools has a default. */
export interface FleetToolsConfig extends FleetConfig {
  /** IANA time zone of periods such as "yesterday" and of the times in results. @default the host's */
  timeZone?: string | undefined;
  /** Whether to leave out write tools. @default false */
  readOnly?: boolean | undefined;
  /** Names of the tools to offer. @default all, unless `toolsets` is set */
  tools?: readonly string[] | undefined;
  /** Names of the toolsets to offer. */
  toolsets?: readonly string[] | undefined;
  /** Whether a write requires the user's approval or a confirmation token (`auto`) or is sent right away (`never`). @default "auto" */
  confirm?: "auto" | "never" | undefined;
  /** Token budget per result, estimated as characters / 4; at least 200. @default 5000 */
  maxResultTokens?: number | undefined;
  /**
   * Seconds for which reads are cached; 0 disables the cache. The whole fleet stays cached for three times as long as reading it takes, if
   * that is longer, and is refreshed in the background while questions keep coming. @default 5
   */
  snapshotSeconds?: number | undefined;
  /** Maximum number of vehicles held in memory, at about 2 kB each; calls fail if the fleet is larger. @default 500000 */
  maxVehicles?: number | undefined;
  /** Whether to withhold whereabouts on private journeys. @default "respect" */
  privacy?: "respect" | "off" | undefined;
  /**
   * Places of the past, which tachograph activities have: `respect` withholds those that may belong to a private journey that goes on, which are those of the last
   * 24 hours of that vehicle and driver; `full` withholds only those of activities in progress; `off` withholds all. Nothing says which past activities were private.
   * @default "respect"
   */
  past?: "respect" | "full" | "off" | undefined;
  /** Whether to show drivers' names, or pseudonyms instead. @default "show" */
  driverNames?: "show" | "hide" | undefined;
  /**
   * Key that signs confirmation tokens and derives pseudonyms: at least 32 bytes in base64. With the default, both are valid only in the
   * same process. @default random
   */
  sealKey?: string | undefined;
  /**
   * Meanings of words for tachograph activities: `driving`, `work`, `availability`, `rest` or `unknown`. Added to the sandbox's words
   * `DRIVING`, `WORK`, `AVAILABILITY` and `REST`. The interface lists none. For other words, tools return no figures and name the word.
   */
  activityWords?: ActivityWords | undefined;
  /**
   * Unit of the distance of tachograph activities, which the interface leaves open (2.7). Without it, the unit is inferred from activities whose ends are far apart,
   * and as long as several are possible, distances are straight lines.
   */
  distanceUnit?: DistanceUnit | undefined;
  /**
   * How this deployment resolves what the interface leaves open, as `fleetwire-contract learn` observed it: `readProfile(text)` in `@fleetwire/core`. Descriptions
   * of lists name its words and fields, as observed, and its unit of distance applies unless `distanceUnit` is set.
   */
  profile?: DeploymentProfile | undefined;
  /** Whether the fleet is that of the embedded sandbox, in which case every result says so. @default false */
  sandbox?: boolean | undefined;
}

const DEFAULTS = {
  readOnly: false,
  confirm: "auto",
  maxResultTokens: 5000,
  snapshotSeconds: 5,
  maxVehicles: 500_000,
  privacy: "respect",
  past: "respect",
  driverNames: "show",
} satisfies Partial<FleetToolsConfig>;

/** The configuration with all defaults applied. */
export type FleetToolsSettings = FleetToolsConfig & { [Setting in keyof typeof DEFAULTS]: NonNullable<FleetToolsConfig[Setting]> };

/** Applies defaults to options that are missing or undefined. */
export function settingsOf(config: FleetToolsConfig): FleetToolsSettings {
  return { ...DEFAULTS, ...(Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined)) as FleetToolsSettings) };
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

const wholeNumber = (digits: RegExp, message: string, min = 0) =>
  z
    .string()
    .regex(digits, message)
    .transform(Number)
    .refine((value) => value >= min, message);

const names = z
  .string()
  .regex(/^[A-Za-z_]+(\s*,\s*[A-Za-z_]+)*$/, "must be a list of names such as positions,jobs")
  .transform((list) => list.split(",").map((name) => name.trim()));

const isKind = (kind: string): kind is ActivityWords[string] => (ACTIVITY_KINDS as readonly string[]).includes(kind);

/** Reads `FAHREN=driving,RUHE=rest`. */
const activityWords = z.string().transform((list, context): ActivityWords => {
  const pairs = list.split(",").map((pair) => pair.split("=").map((part) => part.trim()));
  const words = pairs.flatMap(([word = "", kind = "", ...more]) =>
    word !== "" && isKind(kind) && more.length === 0 ? [[word, kind] as const] : [],
  );
  if (words.length < pairs.length) {
    context.addIssue({ code: "custom", message: `must be a list such as DRIVING=driving,REST=rest, with ${ACTIVITY_KINDS.join(", ")}` });
  }
  return Object.fromEntries(words);
});

/** Reads the content of a profile. A program that reads no files has the file's name instead. */
const profile = z.string().transform((text, context): DeploymentProfile => {
  const parsed = text.startsWith("{") ? parseProfile(text) : undefined;
  if (parsed && "profile" in parsed) return parsed.profile;
  const message = parsed
    ? `must be a profile that fleetwire-contract learn wrote: ${parsed.problem}`
    : 'must be read from its file: in code with the option readFile, in a tenants file as {"file": ...}';
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

/** Rejects "always", which older configurations may still contain, with an explanation. */
const confirmations = z.enum(["auto", "never"], {
  error: ({ input }) => (input === "always" ? "must be auto or never; auto (the default) replaces always" : "must be one of auto, never"),
});

/** The tools' environment variables, which supplement the client's. Flags and help text are generated from this table. */
export const toolVariables = {
  FLEET_TIME_ZONE: {
    schema: z.string().refine(isTimeZone, "must be an IANA time zone such as Europe/Paris"),
    description: "time zone of periods and results (default the host's)",
  },
  FLEET_READ_ONLY: {
    schema: oneOf(["0", "1"]).transform((value) => value === "1"),
    description: "1 hides write tools and rejects calls to them",
  },
  FLEET_TOOLS: { schema: names, description: "only these tools, such as locate_vehicle,create_job (default all)" },
  FLEET_TOOLSETS: { schema: names, description: "only the tools in these toolsets, such as positions,jobs (default all)" },
  FLEET_CONFIRM: {
    schema: confirmations,
    description: "writes: auto (default) asks the user or requires a confirmation token; never sends right away",
  },
  FLEET_MAX_RESULT_TOKENS: {
    schema: wholeNumber(/^\d{1,7}$/, "must be a whole number of tokens, at least 200", 200),
    description: "token budget per tool result (default 5000)",
  },
  FLEET_SNAPSHOT_SECONDS: {
    schema: wholeNumber(/^\d{1,4}$/, "must be a whole number of seconds, at most 9999"),
    description: "seconds for which reads are cached (default 5; 0 disables the cache)",
  },
  FLEET_MAX_VEHICLES: {
    schema: wholeNumber(/^[1-9]\d{0,6}$/, "must be a whole number of vehicles, at least 1"),
    description: "maximum vehicles in memory, at about 2 kB each (default 500000)",
  },
  FLEET_PRIVACY: { schema: oneOf(["respect", "off"]), description: "private journeys: respect (default, whereabouts withheld) or off" },
  FLEET_PAST: {
    schema: oneOf(["respect", "full", "off"]),
    description: "places of the past: respect (default, withheld for 24 h of a vehicle or driver on a private journey), full or off",
  },
  FLEET_DRIVER_NAMES: { schema: oneOf(["show", "hide"]), description: "drivers' names: show (default) or hide" },
  FLEET_ACTIVITY_WORDS: {
    schema: activityWords,
    description: "meanings of tachograph words, such as FAHREN=driving,RUHE=rest (default DRIVING, WORK, AVAILABILITY, REST)",
  },
  FLEET_DISTANCE_UNIT: {
    schema: oneOf(["m", "km", "mi"]),
    description: "unit of the distance of tachograph activities: m, km or mi (default inferred)",
  },
  FLEET_PROFILE: {
    schema: profile,
    jsonFile: true,
    description: "file with a profile of the deployment, which fleetwire-contract learn writes",
  },
  FLEET_SEAL_KEY: {
    schema: z.string().superRefine((key, context) => {
      const problem = signingKeyProblem(key);
      if (problem) context.addIssue({ code: "custom", message: problem });
    }),
    secret: true,
    description: "key for confirmation tokens and drivers' pseudonyms (random by default)",
  },
} satisfies VariableTable;

/** The variables of the client and the tools. */
export const fleetToolsVariables: typeof clientVariables & typeof toolVariables = { ...clientVariables, ...toolVariables };

/** Creates the configuration from variables that are already parsed, for programs with variables of their own. */
export function fleetToolsConfigOf(values: VariableValues<typeof fleetToolsVariables>): FleetToolsSettings {
  return settingsOf({
    ...fleetConfigOf(values),
    timeZone: values.FLEET_TIME_ZONE,
    readOnly: values.FLEET_READ_ONLY,
    tools: values.FLEET_TOOLS,
    toolsets: values.FLEET_TOOLSETS,
    confirm: values.FLEET_CONFIRM,
    maxResultTokens: values.FLEET_MAX_RESULT_TOKENS,
    snapshotSeconds: values.FLEET_SNAPSHOT_SECONDS,
    maxVehicles: values.FLEET_MAX_VEHICLES,
    privacy: values.FLEET_PRIVACY,
    past: values.FLEET_PAST,
    driverNames: values.FLEET_DRIVER_NAMES,
    activityWords: values.FLEET_ACTIVITY_WORDS,
    distanceUnit: values.FLEET_DISTANCE_UNIT,
    profile: values.FLEET_PROFILE,
    sealKey: values.FLEET_SEAL_KEY,
  });
}

/**
 * Reads the configuration of a client and its tools from environment variables such as `process.env`. Throws a single `config` error that
 * names every variable that is missing, malformed or misspelt (`FLEET_READONLY`), without values. Other variables are ignored.
 * FLEET_PROFILE and FLEET_CLIENT_SECRET_FILE require `readFile`, in Node `(path) => readFileSync(path, "utf8")`.
 */
export function fleetToolsConfigFromEnv(env: Environment, { readFile }: { readFile?: ReadFile } = {}): FleetToolsSettings {
  const resolved = readFile === undefined ? env : withFileContents(env, fleetToolsVariables, readFile);
  return fleetToolsConfigOf(readVariables(resolved, fleetToolsVariables));
}
