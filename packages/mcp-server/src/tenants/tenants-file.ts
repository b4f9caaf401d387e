import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Environment, type EnvironmentVariable, FleetError } from "@fleetwire/core";
import { toolAvailability } from "@fleetwire/tools";
import * as z from "zod";
import { httpVariables } from "../http/http-variables.ts";
import { permissionProblem, readConfigFile } from "../read-config-file.ts";
import { customerVariables, type ServerConfig, serverConfigFromEnv } from "../server-config.ts";

/** A customer among several. */
export interface Tenant {
  name: string;
  /** The values of the claim that belong to it. */
  callers: readonly string[];
  config: ServerConfig;
  /** The file of rules whose events its console shows. */
  rules?: string | undefined;
}

const Name = z.string().regex(/^[\w.-]{1,64}$/, "must consist of at most 64 letters, digits and the characters . _ -");
const Reference = z.union([z.string(), z.strictObject({ env: z.string() }), z.strictObject({ file: z.string() })]);
const Settings = z.record(z.string(), Reference);

const TenantsFile = z.strictObject({
  settings: Settings.default({}),
  tenants: z.record(Name, z.strictObject({ callers: z.array(z.string().min(1)).optional(), settings: Settings })),
});

type Reference = z.output<typeof Reference>;

const { FLEET_RULES } = httpVariables;
const variables: Readonly<Record<string, EnvironmentVariable>> = { ...customerVariables, FLEET_RULES };

const failure = (problems: readonly string[]) =>
  new FleetError("config", `configuration: FLEET_TENANTS_FILE: ${problems.join("; ")}`, { advice: "Correct the file" });

/** Returns the value that a reference points to. Throws if the reference is invalid, and says why. */
function referredValue(name: string, reference: Reference, folder: string, env: Environment): string {
  if (typeof reference === "string") {
    if (variables[name]?.secret) throw new Error(`${name} is a secret: refer to it with {"env": ...} or {"file": ...}`);
    return reference;
  }
  if ("env" in reference) {
    const value = env[reference.env]?.trim();
    if (!value) throw new Error(`${name}: the variable ${reference.env} is not set`);
    return value;
  }
  if (name === "FLEET_RULES") throw new Error(`${name} is the path of a file: write it as text`);
  const path = resolve(folder, reference.file);
  const problem = permissionProblem(path, 0o077, "the file must be readable by its owner only (chmod 600)");
  if (problem !== undefined) throw new Error(`${name}: ${problem}`);
  return readFileSync(path, "utf8");
}

/** A customer's connection belongs to it alone; any other setting of the process is a default. */
const shared = (env: Environment) => Object.fromEntries(Object.entries(env).filter(([name]) => !variables[name]?.connection));

const problemOf = (error: unknown) => (error instanceof Error ? error.message.replace(/^configuration: /, "") : "is invalid");

const readFile = (path: string, owner?: "any") =>
  readConfigFile(path, TenantsFile, "the file must not be writable by others (chmod 644)", failure, owner);

/** Reads only the names of the customers, for whoever has no access to their secrets. */
export const tenantNames = (path: string): string[] => Object.keys(readFile(path, process.getuid?.() === 0 ? "any" : undefined).tenants);

/**
 * Reads the customers. Each is configured with the variables of a single customer; credentials are references. Throws one `config` error that lists everything
 * that is wrong, without values.
 */
export function readTenants(path: string, env: Environment): Tenant[] {
  const file = readFile(path);
  const folder = dirname(resolve(path));
  const tenants: Tenant[] = [];
  const owners = new Map<string, string>();
  const named = Object.entries(file.tenants);
  const problems = named.length === 0 ? ["there are no tenants"] : [];
  for (const [name, { callers = [name], settings }] of named) {
    for (const caller of callers) {
      if (owners.has(caller)) problems.push(`${name}: one of its callers also belongs to ${owners.get(caller)}`);
      owners.set(caller, name);
    }
    try {
      const own = Object.entries({ ...file.settings, ...settings }).map(([variable, reference]) => {
        if (!Object.hasOwn(variables, variable)) throw new Error(`${variable} is not a per-customer setting`);
        return [variable, referredValue(variable, reference, folder, env)];
      });
      const { FLEET_RULES: rules, ...values } = Object.fromEntries(own);
      const config = serverConfigFromEnv({ ...shared(env), ...values });
      toolAvailability(config);
      tenants.push({ name, callers, config, rules: rules === undefined ? env["FLEET_RULES"] : resolve(folder, rules) });
    } catch (error) {
      problems.push(`${name}: ${problemOf(error)}`);
    }
  }
  if (problems.length > 0) throw failure(problems);
  return tenants;
}
