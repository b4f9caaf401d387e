import * as z from "zod";
import type { FleetClientOptions } from "./client/client-options.ts";
import { maxResponseBytesProblem } from "./client/response-body.ts";
import { serverProblem, tokenPathProblem } from "./client/server-address.ts";
import { FleetError } from "./errors.ts";
import { misspeltVariables, otherVariables } from "./misspelt-variables.ts";
import { authSchemes, type ServerName, serverNames } from "./operation.ts";
import { operations } from "./operations/index.ts";
import { Identifier } from "./schemas/scalars.ts";

/** A text of which a function tells what is wrong. */
function checked(text: z.ZodType<string, string>, problemOf: (text: string) => string | undefined) {
  return text.superRefine((value, context) => {
    const problem = problemOf(value);
    if (problem) context.addIssue({ code: "custom", message: problem });
  });
}

function server(withoutScheme = false) {
  const address = z.string().transform((text) => (withoutScheme && !text.includes("://") ? `https://${text}` : text));
  return checked(address, (text) => serverProblem(text, false));
}

function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

const AuthSchemes = z.string().transform((list, context) => {
  const schemes: Record<string, string> = {};
  for (const entry of list.split(",").map((part) => part.trim())) {
    const [name = "", scheme = "", surplus] = entry.split("=");
    const known = Object.hasOwn(operations, name) && name !== "requestAccessToken" && (authSchemes as readonly string[]).includes(scheme);
    if (!known || surplus !== undefined) {
      context.addIssue({
        code: "custom",
        message: `must be a list such as listLivePositions=bearer, with the schemes ${authSchemes.join(", ")}`,
      });
      return z.NEVER;
    }
    schemes[name] = scheme;
  }
  return schemes as NonNullable<FleetClientOptions["authSchemes"]>;
});

function decodedBytes(base64: string): number {
  try {
    return atob(base64).length;
  } catch {
    return 0;
  }
}

const names = z
  .string()
  .regex(/^[A-Za-z_]+(\s*,\s*[A-Za-z_]+)*$/, "must be a list of names such as positions,jobs")
  .transform((list) => list.split(",").map((name) => name.trim()));

const choice = <const Choices extends readonly [string, ...string[]]>(choices: Choices) =>
  z.enum(choices, { error: `must be one of ${choices.join(", ")}` });

/** Configurations of before still hold the third value. */
const confirmations = z.enum(["auto", "never"], {
  error: ({ input }) =>
    input === "always"
      ? "must be auto, the default, in place of always: it sends no write on the first call alone either"
      : "must be one of auto, never",
});

interface Variable {
  schema: z.ZodType;
  description: string;
  /** A secret has no flag: a command line can be read by others on the machine. */
  secret?: true;
  required?: true;
  /** Part of how the service is reached: with the embedded sandbox these are the sandbox's. */
  connection?: true;
  /** As a flag it stands alone and means 1. */
  toggle?: true;
}

/** The environment variables, each stated once; flags and help texts are made from this table. */
export const environmentVariables = {
  FLEET_CUSTOMER_ID: { schema: Identifier, required: true, connection: true, description: "customer that all calls are scoped to" },
  FLEET_CLIENT_ID: { schema: z.string(), required: true, secret: true, connection: true, description: "client id" },
  FLEET_CLIENT_SECRET: { schema: z.string(), required: true, secret: true, connection: true, description: "client secret" },
  FLEET_BASE_URL: { schema: server(), required: true, connection: true, description: "core API, with its path prefix" },
  FLEET_FLEET_URL: { schema: server(), connection: true, description: "fleet management API; updateGroup goes there when set" },
  FLEET_API_HOST: { schema: server(true), connection: true, description: "API host, an origin or a bare host" },
  FLEET_JOB_URL: { schema: server(), connection: true, description: "job creation API" },
  FLEET_TACHO_URL: { schema: server(), connection: true, description: "tachograph API" },
  FLEET_AUTH_URL: { schema: server(), connection: true, description: "token service" },
  FLEET_TOKEN_PATH: {
    schema: checked(z.string(), tokenPathProblem),
    connection: true,
    description: `path of the token request (default ${operations.requestAccessToken.path})`,
  },
  FLEET_AUTH_SCHEMES: {
    schema: AuthSchemes,
    connection: true,
    description: "other authentication schemes, such as listLivePositions=bearer",
  },
  FLEET_JOB_NUMBERS: { schema: choice(["client", "service"]), description: "who numbers jobs: client (default) or service" },
  FLEET_MAX_RESPONSE_BYTES: {
    schema: checked(z.string(), (text) => maxResponseBytesProblem(/^\d+$/.test(text) ? Number(text) : Number.NaN)).transform(Number),
    description: "bytes of one response that are read at once (default 268435456, 256 MB)",
  },
  FLEET_TIME_ZONE: {
    schema: z.string().refine(isTimeZone, "must be an IANA time zone such as Europe/Paris"),
    description: "time zone of words such as yesterday (default the host's)",
  },
  FLEET_READ_ONLY: {
    schema: choice(["0", "1"]).transform((value) => value === "1"),
    toggle: true,
    description: "1 hides and refuses the write tools",
  },
  FLEET_TOOLS: { schema: names, description: "only these tools, such as locate_vehicle,create_job (default all)" },
  FLEET_TOOLSETS: {
    schema: names,
    description: "only the tools of these sets: positions, faults, jobs, tacho, groups, tires (default all)",
  },
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
  FLEET_RESULT: {
    schema: choice(["both", "text", "record"]),
    description: "what a result holds: both (default), text alone, or record (structured content) alone",
  },
  FLEET_SNAPSHOT_SECONDS: {
    schema: z
      .string()
      .regex(/^\d{1,4}$/, "must be a whole number of seconds, at most 9999")
      .transform(Number),
    description: "seconds for which an answer serves the same question again (default 5; 0 reads anew)",
  },
  FLEET_PRIVACY: { schema: choice(["respect", "off"]), description: "private journeys: respect (default, whereabouts withheld) or off" },
  FLEET_DRIVER_NAMES: { schema: choice(["show", "hide"]), description: "drivers' names: show (default) or hide" },
  FLEET_SEAL_KEY: {
    schema: z.string().refine((key) => decodedBytes(key) >= 32, "must be at least 32 bytes in base64"),
    secret: true,
    description: "key of confirmations and drivers' pseudonyms (made at start where absent)",
  },
  FLEET_LOG: {
    schema: choice(["silent", "error", "warn", "info", "debug"]),
    description: "what is logged to stderr: silent, error, warn (default), info or debug",
  },
} as const satisfies Record<string, Variable>;

/** Name of a variable that is read. */
export type EnvironmentVariable = keyof typeof environmentVariables;

const variableNames = Object.keys(environmentVariables);

/** The variable that configures each server of the interface. */
export const serverVariables = {
  base: "FLEET_BASE_URL",
  fleet: "FLEET_FLEET_URL",
  apiHost: "FLEET_API_HOST",
  job: "FLEET_JOB_URL",
  tacho: "FLEET_TACHO_URL",
  auth: "FLEET_AUTH_URL",
} as const satisfies Record<ServerName, EnvironmentVariable>;

/** A client's options, and the settings that only `fleetwire-mcp` reads. */
export interface FleetConfig extends FleetClientOptions {
  /** IANA time zone; the host's where undefined. */
  timeZone: string | undefined;
  /** Whether tools that write are left out. */
  readOnly: boolean;
  /** Names of the tools to offer, and of sets of tools; all where both are undefined. */
  tools: readonly string[] | undefined;
  /** Names of the sets of tools to offer. */
  toolsets: readonly string[] | undefined;
  /** Whether a write waits for the user, or for a confirmation token to come back (`auto`), or is sent at once (`never`). */
  confirm: "auto" | "never";
  /** Tokens, estimated as characters / 4. */
  maxResultTokens: number;
  /** What a tool's result holds: its text, its record as structured content, or both. */
  result: "both" | "text" | "record";
  /** Seconds for which what was read serves the same question again. */
  snapshotSeconds: number;
  /** Whether the whereabouts of a private journey are withheld. */
  privacy: "respect" | "off";
  /** Whether drivers have their names or pseudonyms. */
  driverNames: "show" | "hide";
  /** At least 32 bytes in base64. */
  sealKey: string | undefined;
  /** The least severe level that is logged. */
  log: "silent" | "error" | "warn" | "info" | "debug";
}

type Values = { [Name in EnvironmentVariable]?: z.output<(typeof environmentVariables)[Name]["schema"]> };

function readVariables(env: Readonly<Record<string, string | undefined>>): Values {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, variable] of Object.entries<Variable>(environmentVariables)) {
    const text = env[name]?.trim();
    if (text === undefined || text === "") {
      if (variable.required) problems.push(`${name} is missing (${variable.description})`);
      continue;
    }
    const parsed = variable.schema.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${name} ${parsed.error.issues[0]?.message}`);
  }
  // A setting under a misspelt name would be lost, and read-only mode with it.
  problems.push(
    ...misspeltVariables(env, variableNames).map(({ name, meant }) => `${name} is not a variable of Fleetwire: ${meant} is meant`),
  );
  if (problems.length > 0) {
    throw new FleetError("config", `configuration: ${problems.join("; ")}`, { advice: "Set or fix the variables listed" });
  }
  return values;
}

/**
 * Names of variables that are set, begin with `FLEET_` and are not Fleetwire's, for a program that warns of them. {@link fleetConfigFromEnv} leaves them alone:
 * other programs have such variables too.
 */
export function unknownFleetVariables(env: Readonly<Record<string, string | undefined>>): string[] {
  return otherVariables(env, variableNames);
}

function defined<Value extends Record<string, unknown>>(value: Value): { [Key in keyof Value]?: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as never;
}

/**
 * Reads a configuration from environment variables such as `process.env`, without the white space around values. Every one that is missing, malformed or almost spelled like one of these
 * (`FLEET_READONLY`) is named in one `config` error, none with its value. Variables of other names are left alone.
 */
export function fleetConfigFromEnv(env: Readonly<Record<string, string | undefined>>): FleetConfig {
  const values = readVariables(env);
  return {
    customerId: values.FLEET_CUSTOMER_ID ?? "",
    credentials: { clientId: values.FLEET_CLIENT_ID ?? "", clientSecret: values.FLEET_CLIENT_SECRET ?? "" },
    servers: defined(
      Object.fromEntries(serverNames.map((name) => [name, values[serverVariables[name]]])) as Record<ServerName, string | undefined>,
    ),
    ...defined({
      tokenPath: values.FLEET_TOKEN_PATH,
      authSchemes: values.FLEET_AUTH_SCHEMES,
      jobNumbers: values.FLEET_JOB_NUMBERS,
      maxResponseBytes: values.FLEET_MAX_RESPONSE_BYTES,
    }),
    timeZone: values.FLEET_TIME_ZONE,
    readOnly: values.FLEET_READ_ONLY ?? false,
    tools: values.FLEET_TOOLS,
    toolsets: values.FLEET_TOOLSETS,
    confirm: values.FLEET_CONFIRM ?? "auto",
    maxResultTokens: values.FLEET_MAX_RESULT_TOKENS ?? 5000,
    result: values.FLEET_RESULT ?? "both",
    snapshotSeconds: values.FLEET_SNAPSHOT_SECONDS ?? 5,
    privacy: values.FLEET_PRIVACY ?? "respect",
    driverNames: values.FLEET_DRIVER_NAMES ?? "show",
    sealKey: values.FLEET_SEAL_KEY,
    log: values.FLEET_LOG ?? "warn",
  };
}
