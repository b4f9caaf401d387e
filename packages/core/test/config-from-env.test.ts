import { describe, expect, it } from "vitest";
import { clientVariables, createFleetClient, FleetError, fleetConfigFromEnv, unknownFleetVariables } from "../src/index.ts";
import { tokenAnswer } from "./fleet-under-test.ts";
import { recordingServer } from "./recording-server.ts";

const required = {
  FLEET_CUSTOMER_ID: "c42",
  FLEET_CLIENT_ID: "id",
  FLEET_CLIENT_SECRET: "secret",
  FLEET_BASE_URL: "https://fleet.example.com/api",
};

it.each([
  ["required", ["FLEET_CUSTOMER_ID", "FLEET_CLIENT_ID", "FLEET_CLIENT_SECRET", "FLEET_BASE_URL"]],
  ["secret", ["FLEET_CLIENT_ID", "FLEET_CLIENT_SECRET"]],
] as const)("the variables that are %s are %j", (property, expected) => {
  const named = Object.entries(clientVariables).filter(([, variable]) => (variable as Partial<Record<string, unknown>>)[property] === true);
  expect(named.map(([name]) => name)).toEqual(expected);
});

it("every variable with an address, or of the customer, belongs to a connection; how jobs are numbered does not", () => {
  const others = Object.entries(clientVariables).filter(([, variable]) => !("connection" in variable && variable.connection));
  expect(others.map(([name]) => name)).toEqual(["FLEET_TIMEOUT", "FLEET_JOB_NUMBERS", "FLEET_MAX_RESPONSE_BYTES"]);
});

it.each([
  ["FLEET_BASE_ULR", "FLEET_BASE_URL"],
  ["fleet_job_url", "FLEET_JOB_URL"],
])("the misspelt variable %s is refused, and %s suggested", (name, meant) => {
  const { message } = refusal({ ...required, [name]: "https://x.example.com" });
  expect(message).toContain(`${name} is not a Fleetwire variable; did you mean ${meant}?`);
});

function refusal(...args: Parameters<typeof fleetConfigFromEnv>): FleetError {
  try {
    fleetConfigFromEnv(...args);
  } catch (error) {
    if (error instanceof FleetError) return error;
    throw error;
  }
  throw new Error("the configuration was accepted");
}

const SERVERS = Object.fromEntries(
  ["fleet", "apiHost", "job", "tacho", "auth"].map((name) => [name, `https://${name}.example.com`.toLowerCase()]),
);

describe("a configuration from the environment", () => {
  it("reads every variable", () => {
    const env = {
      ...required,
      ...Object.fromEntries(
        Object.entries(SERVERS).map(([name, url]) => [`FLEET_${name === "apiHost" ? "API_HOST" : `${name.toUpperCase()}_URL`}`, url]),
      ),
      FLEET_TOKEN_PATH: "/acme-oauth/oauth/accessToken",
      FLEET_AUTH_SCHEMES: "listLivePositions=bearer, updateGroup=bearer",
      FLEET_TIMEOUT: "45",
      FLEET_JOB_NUMBERS: "service",
      FLEET_MAX_RESPONSE_BYTES: "1048576",
    };
    expect([...Object.keys(env), "FLEET_CLIENT_SECRET_FILE"].sort()).toEqual(Object.keys(clientVariables).sort());
    expect(fleetConfigFromEnv(env)).toEqual({
      customerId: "c42",
      credentials: { clientId: "id", clientSecret: "secret" },
      servers: { base: required.FLEET_BASE_URL, ...SERVERS },
      tokenPath: "/acme-oauth/oauth/accessToken",
      authSchemes: { listLivePositions: "bearer", updateGroup: "bearer" },
      timeout: 45_000,
      jobNumbers: "service",
      maxResponseBytes: 1_048_576,
    });
  });

  it.each([
    ["api.example.com", "https://api.example.com"],
    ["api.example.com:8443", "https://api.example.com:8443"],
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
  ])("accepts the API host as %s", (host, origin) => {
    expect(fleetConfigFromEnv({ ...required, FLEET_API_HOST: host }).servers.apiHost).toBe(origin);
  });

  it.each(["", "  "])("treats '%s' as absent", (FLEET_JOB_URL) => {
    expect(fleetConfigFromEnv({ ...required, FLEET_JOB_URL }).servers.job).toBeUndefined();
  });
});

describe("an invalid configuration", () => {
  const malformed: [string, string][] = [
    ["FLEET_CUSTOMER_ID", "canary/42"],
    ["FLEET_BASE_URL", "http://canary.example.com"],
    ["FLEET_BASE_URL", "https://id:canary@fleet.example.com"],
    ["FLEET_API_HOST", "http://canary.example.com"],
    ["FLEET_TACHO_URL", "canary"],
    ["FLEET_AUTH_URL", "http://127.0.0.1.canary.com"],
    ["FLEET_TOKEN_PATH", "canary/oauth"],
    ["FLEET_AUTH_SCHEMES", "canary=bearer"],
    ["FLEET_AUTH_SCHEMES", "listJobs=canary"],
    ["FLEET_AUTH_SCHEMES", "requestAccessToken=bearer"],
    ["FLEET_AUTH_SCHEMES", "toString=bearer"],
    ["FLEET_CLIENT_SECRET_FILE", "/run/canary"],
    ["FLEET_TIMEOUT", "0"],
    ["FLEET_TIMEOUT", "canary"],
    ["FLEET_JOB_NUMBERS", "canary"],
    ["FLEET_MAX_RESPONSE_BYTES", "1e6"],
    ["FLEET_MAX_RESPONSE_BYTES", "99999999999"],
  ];

  it.each(malformed)("%s=%s is reported without its value", (name, value) => {
    const error = refusal({ ...required, [name]: value });
    expect(error.code).toBe("config");
    expect(error.message).toMatch(new RegExp(`^configuration: ${name} must `));
    expect(JSON.stringify(error).toLowerCase()).not.toContain("canary");
  });

  it("lists everything invalid, missing or misspelt in one error", () => {
    const env = { ...Object.fromEntries(malformed), FLEET_CLIENT_SECRET: "", FLEET_BASE_ULR: "canary", FLEET_JOB_NUMBER: "canary" };
    const { message } = refusal(env);
    const names = message.match(/FLEET_[A-Z_]+/g);
    expect(new Set(names)).toEqual(new Set([...Object.keys(env), "FLEET_CLIENT_ID"]));
    expect(message.toLowerCase()).not.toContain("canary");
  });

  it("ignores other variables, and lists the unknown ones on request", () => {
    const env = { ...required, FLEET_ENROLLMENT_TOKEN: "canary-1", FLEETING: "1" };
    expect(fleetConfigFromEnv(env)).toEqual(fleetConfigFromEnv(required));
    expect(unknownFleetVariables(env, clientVariables)).toEqual(["FLEET_ENROLLMENT_TOKEN"]);
  });
});

describe("FLEET_CLIENT_SECRET_FILE", () => {
  const { FLEET_CLIENT_SECRET: _, ...withoutSecret } = required;
  const env = { ...withoutSecret, FLEET_CLIENT_SECRET_FILE: "/run/secrets/canary" };
  const readFile = (content: string) => ({ readFile: () => content });
  const unreadable = () => {
    throw Object.assign(new Error("canary"), { code: "ENOENT" });
  };

  it("is read without the surrounding whitespace", () => {
    expect(fleetConfigFromEnv(env, readFile(" s e=cret\r\n"))).toEqual(
      fleetConfigFromEnv({ ...required, FLEET_CLIENT_SECRET: "s e=cret" }),
    );
  });

  it.each<[string, Parameters<typeof fleetConfigFromEnv>, RegExp]>([
    ["a missing file", [env, { readFile: unreadable }], /: the file cannot be read \(ENOENT\)$/],
    ["an empty file", [env, readFile(" \n")], /: the file is empty$/],
    ["a file with more in it", [env, readFile("canary\ncanary")], /: the file has more than one line$/],
    ["the secret as well", [{ ...env, ...required }, readFile("canary")], /: set it or FLEET_CLIENT_SECRET, not both$/],
  ])("is refused with %s", (_, args, problem) => {
    const error = refusal(...args);
    expect(error.message).toMatch(/^configuration: FLEET_CLIENT_SECRET_FILE: /);
    expect(error.message).toMatch(problem);
    expect(JSON.stringify(error)).not.toContain("canary");
  });
});

it("a client from the environment sends what it says", async () => {
  const server = await recordingServer(tokenAnswer("canary-T1"), { body: [] }, { body: [] });
  const env = { ...required, FLEET_BASE_URL: `${server.origin}/base/`, FLEET_API_HOST: server.origin };
  const more = { FLEET_AUTH_URL: `${server.origin}/auth`, FLEET_TOKEN_PATH: "/acme/token", FLEET_AUTH_SCHEMES: "listLivePositions=bearer" };
  const fleet = createFleetClient(fleetConfigFromEnv({ ...env, ...more }));
  await fleet.listLivePositions();
  await fleet.listJobs();
  expect(server.requests.map(({ method, url, headers }) => [method, url, headers.authorization ?? headers["x-connect-token"]])).toEqual([
    ["POST", "/auth/acme/token", "Basic aWQ6c2VjcmV0"],
    ["GET", "/base/public/v1/customer/c42/tracking/live", "Bearer canary-T1"],
    ["GET", "/job-management/v1/customer/c42/jobs", "TOKEN canary-T1"],
  ]);
});
