import { type Operation, type OperationName, operations, pathOf } from "@fleetwire/core";
import { serverVariables } from "@fleetwire/core/internal";
import { createSandbox, type Sandbox, type SandboxOptions } from "@fleetwire/sandbox";
import type { Fixture } from "../fixtures/fixture.ts";
import { FIXTURE_CUSTOMER, PLACEHOLDERS } from "../fixtures/placeholders.ts";

export interface ProviderResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

/** A time in working hours on a Friday, so that vehicles are moving. */
export const SANDBOX_TIME = Date.UTC(2026, 10, 20, 10);

/** A sandbox in a provider state, which maps each id or name in a fixture to the sandbox's own. */
export class ProviderSandbox {
  readonly sandbox: Sandbox;
  /** The sandbox's ids and names, keyed by those in fixtures, such as v1001. */
  readonly names = new Map<string, string>();
  /** Whether requests carry credentials that the sandbox does not know. */
  unknownCredentials = false;
  #token: string | undefined;

  constructor(options: SandboxOptions = {}) {
    this.sandbox = createSandbox({ seed: 1, vehicles: 50, customers: 2, clock: () => SANDBOX_TIME, ...options });
    this.names.set(FIXTURE_CUSTOMER, this.sandbox.env["FLEET_CUSTOMER_ID"] ?? "");
  }

  /** Replaces a fixture's ids and names in a string with the sandbox's, including those inside a list or a path. */
  translate(text: string): string {
    const whole = this.names.get(text);
    if (whole !== undefined) return whole;
    return text.replace(/[A-Za-z0-9]+/g, (word) => (/\d/.test(word) ? (this.names.get(word) ?? word) : word));
  }

  translated<Value>(value: Value): Value {
    if (typeof value === "string") return this.translate(value) as Value;
    if (Array.isArray(value)) return value.map((item) => this.translated(item)) as Value;
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, this.translated(inner)])) as Value;
  }

  /** Sends a fixture's request with the sandbox's ids, names and credentials. */
  async send({ operation, request }: Pick<Fixture, "operation" | "request">, customer = 0): Promise<ProviderResponse> {
    const { env = this.sandbox.env } = this.sandbox.customers[customer] ?? {};
    const { servers }: Operation = operations[operation];
    const { method, path, query, headers, body, text } = request;
    const address = env[serverVariables[servers.at(-1) ?? "base"]] ?? "";
    const url = new URL(
      address +
        path
          .split("/")
          .map((part) => this.translate(part))
          .join("/"),
    );
    for (const [name, value] of Object.entries(this.translated(query)))
      for (const one of [value].flat()) url.searchParams.append(name, one);
    const isForm = Object.values(headers).some((value) => value.startsWith("application/x-www-form-urlencoded"));
    const sent = this.translated(body);
    const written =
      isForm && typeof sent === "object" ? new URLSearchParams(sent as Record<string, string>).toString() : JSON.stringify(sent);
    const response = await this.sandbox.fetch(url, {
      method,
      headers: await this.#withCredentials(headers, env),
      ...(method !== "GET" && { body: text ?? (typeof sent === "string" ? sent : written) }),
    });
    const received = await response.text();
    return { status: response.status, headers: response.headers, body: received === "" ? undefined : JSON.parse(received) };
  }

  /** Calls an operation as the first or another customer, to inspect or set up a state. */
  async call(
    operation: OperationName,
    input: { path?: Record<string, string>; query?: Record<string, string>; body?: unknown } = {},
    customer = 0,
  ): Promise<Record<string, unknown>> {
    const called: Operation = operations[operation];
    const { method, auth, contentType } = called;
    const scheme = { basic: "Basic <BASE64_CREDENTIALS>", bearer: "Bearer <ACCESS_TOKEN>", "connect-token": "TOKEN <ACCESS_TOKEN>" }[
      auth[0]
    ];
    const headers = {
      [auth[0] === "connect-token" ? "x-connect-token" : "authorization"]: scheme,
      ...(contentType && { "content-type": contentType }),
    };
    const id = this.sandbox.customers[customer]?.id ?? "";
    const request = {
      method,
      path: pathOf(called, { ...input.path, customerId: id }),
      query: input.query ?? {},
      headers,
      body: input.body as Fixture["request"]["body"],
    };
    const { status, body } = await this.send({ operation, request }, customer);
    if (status !== 200) throw new Error(`the sandbox responded to ${operation} with ${status} while setting up its state`);
    return body as Record<string, unknown>;
  }

  async #withCredentials(
    headers: Readonly<Record<string, string>>,
    env: Readonly<Record<string, string>>,
  ): Promise<Record<string, string>> {
    const pair = `${env["FLEET_CLIENT_ID"]}:${this.unknownCredentials ? "unknown" : env["FLEET_CLIENT_SECRET"]}`;
    const credentials = Buffer.from(pair).toString("base64");
    const headerText = JSON.stringify(headers);
    if (headerText.includes(PLACEHOLDERS.token) && this.#token === undefined) {
      const { accessToken } = await this.call("requestAccessToken", { body: { grant_type: "client_credentials" } });
      this.#token = String(accessToken);
    }
    return JSON.parse(headerText.replaceAll(PLACEHOLDERS.credentials, credentials).replaceAll(PLACEHOLDERS.token, this.#token ?? ""));
  }
}
