import {
  clientVariables,
  type Environment,
  type FleetConfig,
  fleetConfigOf,
  oneOf,
  readVariables,
  type VariableTable,
  type VariableValues,
} from "@fleetwire/core";
import * as z from "zod";
import { signingKeyProblem } from "./signing-key.ts";

/** The client's options, and what tools obey beside them. What is absent has its default. */
export interface FleetToolsConfig extends FleetConfig {
  /** IANA time zone in which words such as "yesterday" are read; the host's where absent. */
  timeZone?: string | undefined;
  /** Whether tools that write are left out. @default false */
  readOnly?: boolean | undefined;
  /** Names of the tools to offer, and of sets of tools; all where both are absent. */
  tools?: readonly string[] | undefined;
  /** Names of the sets of tools to offer. */
  toolsets?: readonly string[] | undefined;
  /** Whether a write waits for the user, or for a confirmation token to come back (`auto`), or is sent at once (`never`). @default "auto" */
  confirm?: "auto" | "never" | undefined;
  /** Tokens of one result, estimated as characters / 4; at least 200. @default 5000 */
  maxResultTokens?: number | undefined;
  /** Seconds for which what was read serves the same question again. @default 5 */
  snapshotSeconds?: number | undefined;
  /** Whether the whereabouts of a private journey are withheld. @default "respect" */
  privacy?: "respect" | "off" | undefined;
  /** Whether drivers have their names or pseudonyms. @default "show" */
  driverNames?: "show" | "hide" | undefined;
  /** Signs confirmation tokens and makes pseudonyms: at least 32 bytes in base64. Random where absent, so that both end with the process. */
  sealKey?: string | undefined;
  /** Whether the fleet is the embedded sandbox's: whatever is said of it then says so. @default false */
  sandbox?: boolean | undefined;
}

const DEFAULTS = {
  readOnly: false,
  confirm: "auto",
  maxResultTokens: 5000,
  snapshotSeconds: 5,
  privacy: "respect",
  driverNames: "show",
} satisfies Partial<FleetToolsConfig>;

/** The same with every default. */
export type FleetToolsSettings = FleetToolsConfig & { [Setting in keyof typeof DEFAULTS]: NonNullable<FleetToolsConfig[Setting]> };

/** A configuration with the defaults of what is absent or undefined. */
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

const names = z
  .string()
  .regex(/^[A-Za-z_]+(\s*,\s*[A-Za-z_]+)*$/, "must be a list of names such as positions,jobs")
  .transform((list) => list.split(",").map((name) => name.trim()));

/** Configurations of before still hold the third value. */
const confirmations = z.enum(["auto", "never"], {
  error: ({ input }) =>
    input === "always"
      ? "must be auto, the default, in place of always: it sends no write on the first call alone either"
      : "must be one of auto, never",
});

/** The environment variables that tools read beside the client's, each stated once; flags and help texts are made from this table. */
export const toolVariables = {
  FLEET_TIME_ZONE: {
    schema: z.string().refine(isTimeZone, "must be an IANA time zone such as Europe/Paris"),
    description: "time zone of words such as yesterday (default the host's)",
  },
  FLEET_READ_ONLY: {
    schema: oneOf(["0", "1"]).transform((value) => value === "1"),
    toggle: true,
    description: "1 hides and refuses the write tools",
  },
  FLEET_TOOLS: { schema: names, description: "only these tools, such as locate_vehicle,create_job (default all)" },
  FLEET_TOOLSETS: { schema: names, description: "only the tools of these sets, such as positions,jobs (default all)" },
  FLEET_CONFIRM: {
    schema: confirmations,
    description: "writes: auto (default) asks the user or wants a confirmation token back; never sends at once",
  },
  FLEET_MAX_RESULT_TOKENS: {
    schema: z
      .string()
      .regex(/^\d{1,7}$/, "must be a whole number of tokens, at least 200")
      .transform(Number)
      .refine((tokens) => tokens >= 200, "must be a whole number of tokens, at least 200"),
    description: "budget of one tool result in tokens (default 5000)",
  },
  FLEET_SNAPSHOT_SECONDS: {
    schema: z
      .string()
      .regex(/^\d{1,4}$/, "must be a whole number of seconds, at most 9999")
      .transform(Number),
    description: "seconds for which an answer serves the same question again (default 5; 0 reads anew)",
  },
  FLEET_PRIVACY: { schema: oneOf(["respect", "off"]), description: "private journeys: respect (default, whereabouts withheld) or off" },
  FLEET_DRIVER_NAMES: { schema: oneOf(["show", "hide"]), description: "drivers' names: show (default) or hide" },
  FLEET_SEAL_KEY: {
    schema: z.string().superRefine((key, context) => {
      const problem = signingKeyProblem(key);
      if (problem) context.addIssue({ code: "custom", message: problem });
    }),
    secret: true,
    description: "key of confirmations and drivers' pseudonyms (made at start where absent)",
  },
} satisfies VariableTable;

/** Every variable of a program that has a client and tools. */
export const fleetToolsVariables: typeof clientVariables & typeof toolVariables = { ...clientVariables, ...toolVariables };

/** The configuration of tools in what was read of the environment, for programs that read other packages' variables with it. */
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
    privacy: values.FLEET_PRIVACY,
    driverNames: values.FLEET_DRIVER_NAMES,
    sealKey: values.FLEET_SEAL_KEY,
  });
}

/**
 * Reads the configuration of a client and its tools from environment variables such as `process.env`. Every one that is missing, malformed or almost spelled
 * like one of these (`FLEET_READONLY`) is named in one `config` error, none with its value. Variables of other names are left alone.
 */
export function fleetToolsConfigFromEnv(env: Environment): FleetToolsSettings {
  return fleetToolsConfigOf(readVariables(env, fleetToolsVariables));
}
