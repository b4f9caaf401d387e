import * as z from "zod";
import type { FleetClientOptions } from "./client/client-options.ts";
import { serverProblem } from "./client/operation-routes.ts";
import { maxResponseBytesProblem } from "./client/response-body.ts";
import {
  type Environment,
  oneOf,
  type ReadFile,
  readVariables,
  type VariableTable,
  type VariableValues,
  withFileContents,
} from "./environment-variables.ts";
import { authSchemes, type ServerName, serverNames } from "./operation.ts";
import { pathProblemOf } from "./operation-fields.ts";
import { operations } from "./operations/index.ts";
import { Identifier } from "./schemas/scalars.ts";

/** Adds a check to a string schema. `problemOf` returns the error message, or undefined for a valid value. */
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

const AuthSchemes = z.string().transform((list, context) => {
  const schemes: Record<string, string> = {};
  for (const entry of list.split(",").map((part) => part.trim())) {
    const [name = "", scheme = "", surplus] = entry.split("=");
    const known = Object.hasOwn(operations, name) && name !== "requestAccessToken" && (authSchemes as readonly string[]).includes(scheme);
    if (!known || surplus !== undefined) {
      context.addIssue(`must be a list such as listLivePositions=bearer; the schemes are ${authSchemes.join(", ")}`);
      return z.NEVER;
    }
    schemes[name] = scheme;
  }
  return schemes as NonNullable<FleetClientOptions["authSchemes"]>;
});

/** The environment variables that configure a client. Help is derived from this table. */
export const clientVariables = {
  FLEET_CUSTOMER_ID: { schema: Identifier, required: true, connection: true, description: "customer all calls are scoped to" },
  FLEET_CLIENT_ID: { schema: z.string(), required: true, secret: true, connection: true, description: "client id" },
  FLEET_CLIENT_SECRET: { schema: z.string(), required: true, secret: true, connection: true, description: "client secret" },
  FLEET_CLIENT_SECRET_FILE: {
    schema: z.string().refine(() => false, "must be read by the program, and this one reads no files: set FLEET_CLIENT_SECRET"),
    connection: true,
    contentOf: "FLEET_CLIENT_SECRET",
    description: "file with the client secret, instead of FLEET_CLIENT_SECRET",
  },
  FLEET_BASE_URL: { schema: server(), required: true, connection: true, description: "core API, with its path prefix" },
  FLEET_FLEET_URL: { schema: server(), connection: true, description: "fleet management API; if set, used for updateGroup" },
  FLEET_API_HOST: { schema: server(true), connection: true, description: "API host, an origin or a bare host" },
  FLEET_JOB_URL: { schema: server(), connection: true, description: "job creation API" },
  FLEET_TACHO_URL: { schema: server(), connection: true, description: "tachograph API" },
  FLEET_AUTH_URL: { schema: server(), connection: true, description: "token service" },
  FLEET_TOKEN_PATH: {
    schema: checked(z.string(), pathProblemOf),
    connection: true,
    description: `path of the token request (default ${operations.requestAccessToken.path})`,
  },
  FLEET_AUTH_SCHEMES: {
    schema: AuthSchemes,
    connection: true,
    description: "authentication schemes that replace the defaults, such as listLivePositions=bearer",
  },
  FLEET_TIMEOUT: {
    schema: z
      .string()
      .regex(/^([1-9]|[1-9]\d|[1-5]\d\d|600)$/, "must be a whole number of seconds from 1 to 600")
      .transform(Number),
    description: "seconds that the service has to respond to one request, from 1 to 600 (default 30)",
  },
  FLEET_JOB_NUMBERS: { schema: oneOf(["client", "service"]), description: "who assigns job numbers: client (default) or service" },
  FLEET_MAX_RESPONSE_BYTES: {
    schema: checked(z.string(), (text) => maxResponseBytesProblem(/^\d+$/.test(text) ? Number(text) : Number.NaN)).transform(Number),
    description: "maximum size of one response in bytes (default 268435456, 256 MB)",
  },
} satisfies VariableTable;

/** The variable that holds the URL of each server. */
export const serverVariables = {
  base: "FLEET_BASE_URL",
  fleet: "FLEET_FLEET_URL",
  apiHost: "FLEET_API_HOST",
  job: "FLEET_JOB_URL",
  tacho: "FLEET_TACHO_URL",
  auth: "FLEET_AUTH_URL",
} as const satisfies Record<ServerName, keyof typeof clientVariables>;

/** Client options read from the environment. Packages with variables of their own extend this type. */
export type FleetConfig = FleetClientOptions;

/** Returns client options from variables already read with {@link readVariables}, for programs that also read the variables of other packages. */
export function fleetConfigOf(values: VariableValues<typeof clientVariables>): FleetConfig {
  return {
    customerId: values.FLEET_CUSTOMER_ID ?? "",
    credentials: { clientId: values.FLEET_CLIENT_ID ?? "", clientSecret: values.FLEET_CLIENT_SECRET ?? "" },
    servers: Object.fromEntries(serverNames.map((name) => [name, values[serverVariables[name]]])),
    tokenPath: values.FLEET_TOKEN_PATH,
    authSchemes: values.FLEET_AUTH_SCHEMES,
    timeout: values.FLEET_TIMEOUT === undefined ? undefined : values.FLEET_TIMEOUT * 1000,
    jobNumbers: values.FLEET_JOB_NUMBERS,
    maxResponseBytes: values.FLEET_MAX_RESPONSE_BYTES,
  };
}

/**
 * Reads client options from environment variables such as `process.env`; values are trimmed. Throws one `config` error that lists all variables that are
 * missing, invalid or misspelt (`FLEET_BASE_ULR`), without their values. Other variables are ignored.
 * FLEET_CLIENT_SECRET_FILE requires `readFile`, in Node `(path) => readFileSync(path, "utf8")`.
 */
export function fleetConfigFromEnv(env: Environment, { readFile }: { readFile?: ReadFile } = {}): FleetConfig {
  const resolved = readFile === undefined ? env : withFileContents(env, clientVariables, readFile);
  return fleetConfigOf(readVariables(resolved, clientVariables));
}
