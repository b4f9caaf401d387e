import { describe, expect, it } from "vitest";
import { createFleetClient, type FleetClientOptions, FleetError } from "../src/index.ts";

const valid: FleetClientOptions = { customerId: "c42", credentials: { clientId: "id", clientSecret: "canary" }, servers: {} };

function problems(options: object): string[] {
  try {
    createFleetClient({ ...valid, ...options } as never);
    return [];
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    expect(error).toMatchObject({ code: "config", advice: "Fix the options listed" });
    expect(String(error)).not.toContain("canary");
    return error.message.replace("createFleetClient: ", "").split("; ");
  }
}

describe("the options of a client", () => {
  const CONCURRENCY = "maxConcurrency must be a whole number, 1 or more";
  const BYTES = "maxResponseBytes must be a whole number of bytes, from 1 to 536870848";
  const CREDENTIALS = "credentials must have a clientId and a clientSecret";
  const AGENT = "userAgent must be one line of ASCII";
  const NOT_FUNCTIONS = ["onRequest", "onResponse", "onDrift", "now", "random"].map((name) => `${name} must be a function`);
  const STORE = "tokenStore must have a get and a set function";
  const SERVERS = "servers must be an object with server URLs";
  it.each<[object, string[]]>([
    [{}, []],
    ...["c-42", "", "c/42", "..", "c 42", "ü"].map((customerId): [object, string[]] => [
      { customerId },
      ["customerId must consist of letters and digits only"],
    ]),
    [{ credentials: { clientId: "", clientSecret: "x" } }, [CREDENTIALS]],
    [{ credentials: { clientId: "x", clientSecret: 1 } }, [CREDENTIALS]],
    [{ servers: null }, [SERVERS]],
    [{ servers: { base: "https://fleet.example.com", job: undefined } }, []],
    [{ servers: { base: new URL("https://fleet.example.com") } }, ["servers.base must be a URL such as https://fleet.example.com/api"]],
    [{ allowHttp: "false" }, ["allowHttp must be true or false"]],
    [{ servers: { base: "http://fleet.example.com" }, allowHttp: true }, []],
    [
      { servers: { base: "http://fleet.example.com", job: "x" } },
      [
        "servers.base must start with https://",
        "plain http is allowed for loopback only",
        "servers.job must be a URL such as https://fleet.example.com/api",
      ],
    ],
    [{ authSchemes: { createJob: "basic", requestAccessToken: "basic" } }, []],
    [{ authSchemes: { toString: "basic" } }, ["authSchemes has an entry for toString, which is not an operation"]],
    [{ authSchemes: { createJob: "digest" } }, ["authSchemes.createJob must be one of basic, bearer, connect-token"]],
    [{ authSchemes: { requestAccessToken: "bearer" } }, ["authSchemes.requestAccessToken must be basic"]],
    [{ timeout: 0 }, ["timeout must be a positive number of milliseconds"]],
    [
      { timeout: "5", totalTimeout: "5" },
      ["timeout must be a positive number of milliseconds", "totalTimeout must be a positive number of milliseconds"],
    ],
    [{ timeout: 0.5, totalTimeout: Number.POSITIVE_INFINITY }, []],
    [{ fetch, onDrift: () => {}, now: Date.now, tokenStore: new Map() }, []],
    [{ fetch: "https://fleet.example.com", onRetry: {} }, ["fetch must be a function", "onRetry must be a function"]],
    [{ onRequest: null, onResponse: 1, now: 5, random: 0.5, onDrift: "log" }, NOT_FUNCTIONS],
    [{ tokenStore: { set: () => {} } }, [STORE]],
    [{ maxConcurrency: 0 }, [CONCURRENCY]],
    [{ maxResponseBytes: 536_870_848 }, []],
    [{ maxResponseBytes: 536_870_849 }, [BYTES]],
    [{ jobNumbers: "mine" }, ["jobNumbers must be client or service"]],
    [{ validation: "lax" }, ["validation must be tolerant or strict"]],
    [{ userAgent: "my app/1 ~" }, []],
    [{ userAgent: "a\nb" }, [AGENT]],
    [{ userAgent: "ü" }, [AGENT]],
    [{ customerId: "", maxConcurrency: 0 }, ["customerId must consist of letters and digits only", CONCURRENCY]],
  ])("%j: %j", (options, found) => {
    expect(problems(options)).toEqual(found);
  });
});

const LOOPBACK = "must start with https://; plain http is allowed for loopback only";
const CREDENTIALS = "must not contain credentials";
const QUERY = "must not contain a query or a fragment";
const URL_SUCH_AS = "must be a URL such as https://fleet.example.com/api";
it.each<[string, boolean, string | undefined]>([
  ["https://fleet.example.com/api", false, undefined],
  ["http://localhost:80/api", false, undefined],
  ["http://127.0.0.1", false, undefined],
  ["http://[::1]:8080", false, undefined],
  ["http://128.0.0.1", false, LOOPBACK],
  ["http://127.0.0.1.example.com", false, LOOPBACK],
  ["http://localhost.example.com", false, LOOPBACK],
  ["http://fleet.example.com", true, undefined],
  ["fleet.example.com", false, URL_SUCH_AS],
  ["", false, URL_SUCH_AS],
  ["https://:canary@fleet.example.com", false, CREDENTIALS],
  ["https://fleet.example.com/api?x=canary", false, QUERY],
  ["https://fleet.example.com#", false, QUERY],
  [" https://fleet.example.com", false, "must not contain whitespace"],
])("the server %s, plain http allowed %s: %s", (base, allowHttp, problem) => {
  expect(problems({ servers: { base }, allowHttp }).join("; ")).toBe(problem === undefined ? "" : `servers.base ${problem}`);
});

it.each([
  ["/", true],
  ["/oauth/token", true],
  ["oauth", false],
  ["/a?b=canary", false],
  ["/a b", false],
])("the token path %s is valid: %s", (tokenPath, isValid) => {
  expect(problems({ tokenPath })).toEqual(isValid ? [] : ["tokenPath must start with a slash and contain no query"]);
});

it("a client has a frozen method for each operation", () => {
  const fleet = createFleetClient(valid);
  expect([Object.isFrozen(fleet), Object.isFrozen(fleet.request), Object.isFrozen(fleet.listJobs)]).toEqual([true, true, true]);
  expect(Object.keys(fleet.listJobs)).toEqual(["withMetadata"]);
  expect(Object.keys(fleet.listLivePositions)).toEqual(["withMetadata", "iterate"]);
  expect(Object.keys(fleet.listVehicleFaults)).toEqual(["withMetadata", "iterate", "pages"]);
});
