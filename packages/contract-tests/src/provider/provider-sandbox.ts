import { createFleetClient, type FleetClient, fleetConfigFromEnv, type Operation, operations } from "@fleetwire/core";
import { serverVariables } from "@fleetwire/core/internal";
import { createSandbox, type Sandbox, type SandboxOptions } from "@fleetwire/sandbox";
import * as z from "zod";
import { type Fixture, type Given, stateOf } from "../fixtures/fixture.ts";
import { FIXTURE_CUSTOMER, PLACEHOLDERS, withSecrets } from "../fixtures/placeholders.ts";

/** A time in working hours on a Friday, so that vehicles are moving. */
export const SANDBOX_TIME = Date.UTC(2026, 10, 20, 10);

/** The state in which `record --sandbox` records. */
export const SANDBOX_AT_START = "the sandbox as it starts";

/** The state for fixtures that hide speeds. */
export const SPEED_SENSITIVE_GROUP = "a fleet with a speed-sensitive group";

const UNKNOWN_CREDENTIALS = "credentials that the service does not know";

/** The provider states of reproducible fixtures: the sandbox is the same for the same options, so fixtures have its ids and names. */
const STATES: Readonly<Record<string, SandboxOptions>> = {
  "credentials that the service knows": {},
  [UNKNOWN_CREDENTIALS]: {},
  [SANDBOX_AT_START]: {},
  "a fleet": {},
  "a large fleet": { vehicles: 400 },
  "a fleet with a sold vehicle": { vehicles: 200 },
  [SPEED_SENSITIVE_GROUP]: { vehicles: 400 },
  "a fleet with groups": {},
  "a fleet with jobs": {},
  "a fleet with tire events": {},
  "a fleet without faults": { vehicles: 1, seed: 3 },
  "a fleet with faults": {},
  "drivers who were active": { clock: () => Date.UTC(2026, 10, 21, 8) },
  "a day that has not begun": { clock: () => Date.UTC(2026, 10, 19) },
};

/** Groups to update, and jobs to create, before the request. */
const StateParameters = z.strictObject({
  groups: z.array(z.record(z.string(), z.json())).default([]),
  jobs: z.array(z.record(z.string(), z.json())).default([]),
});

/** A sandbox in a provider state. */
export class ProviderSandbox {
  readonly sandbox: Sandbox;
  readonly fleet: FleetClient;
  readonly #secret: string | undefined;

  constructor(state: string) {
    this.sandbox = createSandbox({ seed: 1, vehicles: 50, customers: 2, clock: () => SANDBOX_TIME, ...STATES[state] });
    const { env, fetch } = this.sandbox;
    this.fleet = createFleetClient({ ...fleetConfigFromEnv(env), fetch, jobNumbers: "service" });
    this.#secret = state === UNKNOWN_CREDENTIALS ? "unknown" : env["FLEET_CLIENT_SECRET"];
  }

  /** Sends a fixture's request with the sandbox's customer and credentials. */
  async send({ operation, request }: Pick<Fixture, "operation" | "request">): Promise<{ status: number; headers: Headers; body: unknown }> {
    const { env, fetch, customers } = this.sandbox;
    const { servers, contentType }: Operation = operations[operation];
    const { method, path, query, headers, body, text } = request;
    const ofCustomer = path.replace(`/${FIXTURE_CUSTOMER}/`, `/${customers[0]?.id}/`);
    const url = new URL(`${env[serverVariables[servers.at(-1) ?? "base"]]}${ofCustomer}`);
    for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) url.searchParams.append(name, one);
    const isForm = contentType?.startsWith("application/x-www-form-urlencoded");
    const written = typeof body === "string" ? body : isForm ? String(new URLSearchParams(Object(body))) : JSON.stringify(body);
    const credentials = Buffer.from(`${env["FLEET_CLIENT_ID"]}:${this.#secret}`).toString("base64");
    const needsToken = JSON.stringify(headers).includes(PLACEHOLDERS.token);
    const token = needsToken ? ((await this.fleet.requestAccessToken({})).accessToken ?? "") : "";
    const sent = { method, headers: withSecrets(headers, { credentials, token }), ...(method !== "GET" && { body: text ?? written }) };
    const response = await fetch(url, sent);
    const received = await response.text();
    return { status: response.status, headers: response.headers, body: received === "" ? undefined : JSON.parse(received) };
  }
}

/** Starts a sandbox in a state. Throws if the state does not exist or does not take these parameters. */
export async function setUpState(given: Given): Promise<ProviderSandbox> {
  const name = stateOf(given);
  if (!Object.hasOwn(STATES, name))
    throw new Error(`unknown provider state "${name}": provider/provider-sandbox.ts defines ${Object.keys(STATES).join("; ")}`);
  const { data, error } = StateParameters.safeParse(typeof given === "string" ? {} : (given.params ?? {}));
  if (error) throw new Error(`provider state "${name}": ${z.prettifyError(error).replaceAll("\n", " ")}`);
  const provider = new ProviderSandbox(name);
  for (const group of data.groups) await provider.fleet.updateGroup(group as never);
  for (const job of data.jobs) await provider.fleet.createJob(job as never);
  return provider;
}
