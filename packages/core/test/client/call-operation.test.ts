import { describe, expect, it } from "vitest";
import * as z from "zod";
import { createFleetClient, defineOperation, type FleetClientOptions, FleetError, type Operation } from "../../src/index.ts";

/** A client whose fetch responds with these in turn; the last one repeats. Token requests get t1, t2 and so on. */
function client(
  responses: (Response | (() => Response | Promise<Response>))[] | undefined = undefined,
  more: Partial<FleetClientOptions> = {},
) {
  const events: [string, object][] = [];
  const requests: { path: string; headers: Record<string, string>; body: unknown }[] = [];
  let tokens = 0;
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    const { pathname } = new URL(String(url));
    if (pathname === "/token") return Response.json({ accessToken: `canary-t${++tokens}`, expires_in: 3_600 });
    const respond = responses?.[Math.min(requests.length, responses.length - 1)];
    requests.push({
      path: pathname,
      headers: Object.fromEntries(new Headers(init.headers)),
      body: init.body && JSON.parse(String(init.body)),
    });
    return typeof respond === "function" ? respond() : (respond?.clone() ?? Response.json([]));
  };
  const fleet = createFleetClient({
    customerId: "c42",
    credentials: { clientId: "id", clientSecret: "canary-secret" },
    servers: {
      base: "https://x.example.com",
      job: "https://x.example.com",
      apiHost: "https://x.example.com",
      auth: "https://x.example.com",
    },
    tokenPath: "/token",
    random: () => 0,
    fetch: fetch as typeof globalThis.fetch,
    onRequest: (event) => void events.push(["request", event]),
    onResponse: ({ duration: _, ...event }) => void events.push(["response", event]),
    onRetry: (event) => void events.push(["retry", event]),
    ...more,
  });
  return { fleet, requests, events, tokens: () => tokens };
}

const status = (code: number, body: unknown = {}) => Response.json(body, { status: code });
const network = () => Promise.reject(new TypeError("failed"));
const errorOf = async (call: Promise<unknown>): Promise<FleetError> => {
  const error = await call.catch((reason: unknown) => reason);
  if (!(error instanceof FleetError)) throw new Error("the call did not fail as expected");
  return error;
};

const common = {
  summary: "Do it",
  source: "a test",
  method: "POST",
  path: "/it/{customerId}",
  servers: ["base"],
  body: { text: z.string().optional() },
  output: z.looseObject({}),
} as const;
const read = defineOperation({ ...common, name: "readIt", auth: ["basic"], effect: "read" }) as Operation;
const update = defineOperation({ ...common, name: "updateIt", auth: ["bearer"], effect: "update" }) as Operation;
const create = defineOperation({ ...common, name: "createIt", auth: ["connect-token"], effect: "create" }) as Operation;

describe("the metadata of a call", () => {
  it("counts attempts and bytes", async () => {
    const { fleet } = client([status(500), status(200, { a: "ü" })]);
    const { data, metadata } = await fleet.request.withMetadata(read, { text: "ü" });
    expect(data).toEqual({ a: "ü" });
    expect(metadata).toEqual({
      operation: "readIt",
      status: 200,
      attempts: 2,
      duration: expect.any(Number),
      requestBytes: 13,
      responseBytes: 10,
    });
    expect(metadata.duration).toBeGreaterThan(0);
    expect(metadata.duration).toBeLessThan(60_000);
  });

  it("has the job's number", async () => {
    const { fleet } = client([status(200, { job: { jobId: "j1" } })]);
    expect((await fleet.createJob.withMetadata({ address: "a", jobNumber: "N1" })).metadata).toMatchObject({ jobNumber: "N1" });
    expect((await fleet.createJob.withMetadata({ address: "a" })).metadata.jobNumber).toMatch(/^FW-/);
    const service = client([status(200, { job: { jobId: "j1" } })], { jobNumbers: "service" });
    expect((await service.fleet.createJob.withMetadata({ address: "a" })).metadata).not.toHaveProperty("jobNumber");
  });
});

it("credentials are sent as the scheme requires", async () => {
  const { fleet, requests, tokens } = client([status(200)]);
  await fleet.request(read, {});
  await fleet.request(update, {});
  await fleet.request(create, {});
  expect(requests.map(({ headers }) => [headers["authorization"], headers["x-connect-token"]])).toEqual([
    [`Basic ${Buffer.from("id:canary-secret").toString("base64")}`, undefined],
    ["Bearer canary-t1", undefined],
    [undefined, "TOKEN canary-t1"],
  ]);
  expect(tokens()).toBe(1);
});

describe("hooks", () => {
  it("are called for each attempt, with the number of the call", async () => {
    const { fleet, events } = client([status(503, "busy"), network, status(200)]);
    await fleet.request(read, {});
    await fleet.request(read, {});
    const about = { operation: "readIt", call: 1 };
    expect(events).toEqual([
      ["request", { ...about, attempt: 1, requestBytes: 2 }],
      ["response", { ...about, attempt: 1, requestBytes: 2, status: 503, responseBytes: 6 }],
      ["retry", { ...about, attempt: 1, code: "upstream", status: 503, delay: 0 }],
      ["request", { ...about, attempt: 2, requestBytes: 2 }],
      ["response", { ...about, attempt: 2, requestBytes: 2, failure: "network", responseBytes: 0 }],
      ["retry", { ...about, attempt: 2, code: "network", delay: 0 }],
      ["request", { ...about, attempt: 3, requestBytes: 2 }],
      ["response", { ...about, attempt: 3, requestBytes: 2, status: 200, responseBytes: 2 }],
      ["request", { operation: "readIt", call: 2, attempt: 1, requestBytes: 2 }],
      ["response", { operation: "readIt", call: 2, attempt: 1, requestBytes: 2, status: 200, responseBytes: 2 }],
    ]);
  });

  it("measure a request", async () => {
    const durations: number[] = [];
    const { fleet } = client([status(200)], { onResponse: ({ duration }) => void durations.push(duration) });
    await fleet.request(read, {});
    expect(durations[0]).toBeGreaterThanOrEqual(0);
    expect(durations[0]).toBeLessThan(60_000);
  });
});

describe("retries", () => {
  it.each<[string, Operation, (Response | (() => Promise<Response>))[], number, string]>([
    ["a read after 500", read, [status(500)], 3, "upstream"],
    ["an update after a lost response", update, [network], 3, "network"],
    ["a creation without a key, never", create, [network], 1, "unknownOutcome"],
    ["a rejection, never", read, [status(400)], 1, "rejected"],
    ["a creation rejected", create, [status(400)], 1, "rejected"],
    ["a creation that may have happened", create, [status(500)], 1, "unknownOutcome"],
  ])("%s", async (_, operation, responses, attempts, code) => {
    const { fleet, requests } = client(responses as Response[]);
    const error = await errorOf(fleet.request(operation, {}));
    expect([error.code, requests.length]).toEqual([code, attempts]);
    expect(error.changed).toBe(operation.effect === "read" || code === "rejected" ? "no" : "unknown");
  });

  it("of a creation that was not sent", async () => {
    const refused = () => Promise.reject(new TypeError("failed", { cause: Object.assign(new Error("no"), { code: "ECONNREFUSED" }) }));
    const { fleet, requests } = client([refused]);
    expect(await errorOf(fleet.request(create, {}))).toMatchObject({ code: "network", changed: "no" });
    expect(requests).toHaveLength(3);
  });

  it("of a call whose time is used up, none", async () => {
    const busy = Response.json({}, { status: 503, headers: { "retry-after": "2" } });
    const { fleet, requests } = client([busy]);
    expect(await errorOf(fleet.request(read, {}, { totalTimeout: 2_000 }))).toMatchObject({ code: "upstream", retryAfter: 2_000 });
    expect(requests).toHaveLength(1);
  });

  it("stop when the caller aborts", async () => {
    const controller = new AbortController();
    const { fleet, requests } = client([status(500)], { onRetry: () => controller.abort() });
    expect((await errorOf(fleet.request(read, {}, { signal: controller.signal }))).code).toBe("aborted");
    expect(requests).toHaveLength(1);
  });
});

describe("a token that the service rejects", () => {
  it("is replaced once", async () => {
    const { fleet, requests, tokens, events } = client([status(200), status(401), status(200)]);
    await fleet.request(update, {});
    await fleet.request(update, {});
    expect(requests.map(({ headers }) => headers["authorization"])).toEqual(["Bearer canary-t1", "Bearer canary-t1", "Bearer canary-t2"]);
    expect(tokens()).toBe(2);
    expect(events.filter(([name]) => name === "retry").map(([, event]) => event)).toEqual([
      { operation: "updateIt", call: 3, attempt: 1, code: "unauthorized", status: 401, delay: 0 },
    ]);
  });

  it("is not replaced if it is new", async () => {
    const { fleet, requests } = client([status(401)]);
    expect((await errorOf(fleet.request(update, {}))).code).toBe("unauthorized");
    expect(requests).toHaveLength(1);
  });

  it("is not replaced twice", async () => {
    const { fleet, requests } = client([status(200), status(401)]);
    await fleet.request(update, {});
    expect((await errorOf(fleet.request(update, {}, { retries: 5 }))).code).toBe("unauthorized");
    expect(requests).toHaveLength(3);
  });

  it("does not matter to basic authentication", async () => {
    const { fleet, requests } = client([status(401)]);
    await errorOf(fleet.request(read, {}));
    expect(requests).toHaveLength(1);
  });
});

describe("a write whose key the caller manages", () => {
  const taken = status(409, { offendingFields: ["jobNumber"] });
  it.each<[string, object, boolean]>([
    ["a generated key that may have been sent", { generatedKey: true, maybeSent: true }, true],
    ["a generated key that was not sent", { generatedKey: true }, false],
    ["a key that may have been sent", { maybeSent: true }, false],
  ])("and which is taken: %s", async (_, write, inferred) => {
    const { fleet } = client([taken]);
    const call = fleet.createJob.withMetadata({ address: "a", jobNumber: "N1" }, { write, totalTimeout: 1_000 });
    if (inferred)
      expect(await call).toMatchObject({
        data: { job: { jobNumber: "N1" }, inferred: true },
        metadata: { status: 409, attempts: 2, jobNumber: "N1" },
      });
    else expect(await errorOf(call)).toMatchObject({ code: "maybeSent" in write ? "unknownOutcome" : "conflict", jobNumber: "N1" });
  });

  it("may have been sent only if it is a creation", async () => {
    const { fleet } = client([status(400)]);
    expect((await errorOf(fleet.request(update, {}, { write: { maybeSent: true } }))).changed).toBe("no");
    expect((await errorOf(fleet.request(create, {}, { write: { maybeSent: true } }))).changed).toBe("unknown");
  });

  it.each([true, false])("ends once sent, if the caller wants that: %s", async (finishOnceSent) => {
    const controller = new AbortController();
    const slow = async () => {
      controller.abort();
      await new Promise((resolve) => setTimeout(resolve, 1));
      return status(200, { done: true });
    };
    const { fleet } = client([slow]);
    const call = fleet.request(create, {}, { signal: controller.signal, write: { finishOnceSent } });
    if (finishOnceSent) expect(await call).toEqual({ done: true });
    else expect((await errorOf(call)).code).toBe("unknownOutcome");
  });

  it("is not sent after an abort", async () => {
    const controller = new AbortController();
    controller.abort();
    const { fleet, requests } = client([status(200)]);
    expect(await errorOf(fleet.request(read, {}, { signal: controller.signal, write: { finishOnceSent: true } }))).toMatchObject({
      code: "aborted",
      changed: "no",
    });
    expect(requests).toEqual([]);
  });
});

describe("what the service repeats", () => {
  it("is redacted: credentials, tokens and confidential input", async () => {
    const { fleet } = client([status(400, { errorMessage: "canary-secret, canary-t1 and a long text" })]);
    expect((await errorOf(fleet.request(update, { text: "a long text" }))).quotation).toBe("[redacted], [redacted] and [redacted]");
    expect((await errorOf(fleet.request(update, {}))).quotation).toBe("[redacted], [redacted] and a long text");
  });

  it("is redacted if a caller requested it", async () => {
    const { fleet } = client([status(400, { errorMessage: "canary-t1" })]);
    await fleet.requestAccessToken();
    expect((await errorOf(fleet.request(read, {}))).quotation).toBe("[redacted]");
  });
});

describe("before anything is sent", () => {
  it.each<[string, () => Promise<unknown> | undefined, object]>([
    [
      "an operation that was not defined",
      () => client().fleet.request({} as never, {}),
      {
        code: "input",
        message: "request: the operation must come from defineOperation",
        advice: "Create the operation with defineOperation",
      },
    ],
    ["no operation", () => client().fleet.request(null as never, {}), { code: "input" }],
    [
      "a server that is not configured",
      () => client([], { servers: {} }).fleet.request(update, {}),
      {
        code: "config",
        message: "updateIt: the server base and auth is not configured",
        operation: "updateIt",
        advice: "Set servers.base and auth",
      },
    ],
    [
      "an output that cannot be checked",
      () => client().fleet.request({ ...read, output: z.string().default("x") } as Operation, {}),
      { code: "config" },
    ],
    ["options that are wrong", () => client().fleet.request(read, {}, { retries: -1 }), { code: "input" }],
  ])("fails: %s", async (_, call, expected) => {
    expect(await errorOf(call() as Promise<unknown>)).toMatchObject(expected);
  });

  it("a client has a frozen method for each operation", () => {
    const { fleet } = client();
    expect([Object.isFrozen(fleet), Object.isFrozen(fleet.request), Object.isFrozen(fleet.listJobs)]).toEqual([true, true, true]);
    const methodsOf = (name: "listJobs" | "listLivePositions" | "listVehicleFaults") => Object.keys(fleet[name]);
    expect(methodsOf("listJobs")).toEqual(["withMetadata"]);
    expect(methodsOf("listLivePositions")).toEqual(["withMetadata", "iterate"]);
    expect(methodsOf("listVehicleFaults")).toEqual(["withMetadata", "iterate", "pages"]);
    expect(Object.isFrozen(fleet.listVehicleFaults)).toBe(true);
  });
});
