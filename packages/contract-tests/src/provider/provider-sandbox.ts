import { createFleetClient, type FleetClient, fleetConfigFromEnv, type Operation, operations } from "@fleetwire/core";
import { serverVariables } from "@fleetwire/core/internal";
import { createSandbox, type Sandbox, type SandboxOptions } from "@fleetwire/sandbox";
import * as z from "zod";
import { type Fixture, type Given, stateOf } from "../fixtures/fixture.ts";
import { FIXTURE_CUSTOMER, PLACEHOLDERS, withSecrets } from "../fixtures/placeholders.ts";

export interface ProviderResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

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
  readonly #areCredentialsKnown: boolean;

  constructor(state: string) {
    this.sandbox = createSandbox({ seed: 1, vehicles: 50, customers: 2, clock: () => SANDBOX_TIME, ...STATES[state] });
    this.fleet = createFleetClient({ ...fleetConfigFromEnv(this.sandbox.env), fetch: this.sandbox.fetch, jobNumbers: "service" });
    this.#areCredentialsKnown = state !== UNKNOWN_CREDENTIALS;
  }

  /** Sends a fixture's request with the sandbox's customer and credentials. */
  async send({ operation, request }: Pick<Fixture, "operation" | "request">): Promise<ProviderResponse> {
    const { env, fetch, customers } = this.sandbox;
    const { servers, contentType }: Operation = operations[operation];
    const { method, path, query, headers, body, text } = request;
    const url = new URL(
      `${env[serverVariables[servers.at(-1) ?? "base"]]}${path.replace(`/${FIXTURE_CUSTOMER}/`, `/${customers[0]?.id}/`)}`,
    );
    for (const [name, value] of Object.entries(query)) for (const one of [value].flat()) url.searchParams.append(name, one);
    const isForm = contentType?.startsWith("application/x-www-form-urlencoded");
    const written = typeof body === "string" ? body : isForm ? String(new URLSearchParams(Object(body))) : JSON.stringify(body);
    const response = await fetch(url, {
      method,
      headers: await this.#withCredentials(headers),
      ...(method !== "GET" && { body: text ?? written }),
    });
    const received = await response.text();
    return { status: response.status, headers: response.headers, body: received === "" ? undefined : JSON.parse(received) };
  }

  async #withCredentials(headers: Fixture["request"]["headers"]): Promise<Fixture["request"]["headers"]> {
    const { FLEET_CLIENT_ID: id, FLEET_CLIENT_SECRET: secret } = this.sandbox.env;
    const credentials = Buffer.from(`${id}:${this.#areCredentialsKnown ? secret : "unknown"}`).toString("base64");
    const needsToken = JSON.stringify(headers).includes(PLACEHOLDERS.token);
    return withSecrets(headers, { credentials, token: needsToken ? ((await this.fleet.requestAccessToken({})).accessToken ?? "") : "" });
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
