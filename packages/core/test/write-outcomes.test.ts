import { describe, expect, it } from "vitest";
import { type CallOptions, type FleetClient, type FleetClientOptions, FleetError } from "../src/index.ts";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";
import { type Answer, DEAD_ORIGIN, holdTimeouts, reset, silence } from "./recording-server.ts";

type Call = (fleet: FleetClient, options: CallOptions) => Promise<unknown>;
const read: Call = (fleet, options) => fleet.listLivePositions({}, options);
const update: Call = (fleet, options) => fleet.updateGroup({ id: "north" }, options);
const create: Call = (fleet, options) => fleet.createJob({ address: "a" }, options);
const created = { body: { job: { jobId: "j1", jobNumber: "MINE-7" } } };
const taken: Answer = { status: 409, body: { offendingFields: ["jobNumber"], errorMessage: "is taken" } };

describe("FleetError.changed", () => {
  const noServer: Partial<FleetClientOptions> = {
    servers: { base: DEAD_ORIGIN, job: DEAD_ORIGIN },
    authSchemes: { createJob: "basic" },
  };
  const rows: [what: string, script: Answer[], over: Partial<FleetClientOptions>, calls: Call[], changed: "no" | "unknown"][] = [
    ["a read, whatever happens", [reset], {}, [read], "no"],
    ["a refusal", [{ status: 403 }], {}, [update, create], "no"],
    ["a rate limit", [{ status: 429 }], {}, [update, create], "no"],
    ["no connection", [], noServer, [update, create], "no"],
    [
      "no token",
      [],
      {
        servers: { base: DEAD_ORIGIN, job: DEAD_ORIGIN, auth: DEAD_ORIGIN },
        authSchemes: { updateGroup: "bearer" },
      },
      [update, create],
      "no",
    ],
    ["a broken connection", [reset], {}, [update, create], "unknown"],
    ["no response in time", [silence], {}, [update, create], "unknown"],
    ["a failing service", [{ status: 500 }], {}, [update, create], "unknown"],
    ["an inconclusive response", [{ status: 425 }], {}, [update, create], "unknown"],
    ["an unreadable response", [{ body: "<html>" }], {}, [update, create], "unknown"],
    ["a refusal after a broken connection", [reset, { status: 403 }], { retries: 1 }, [update, create], "unknown"],
  ];
  it.each(rows)("%s", async (_, api, over, calls, changed) => {
    holdTimeouts();
    for (const call of calls) {
      const { fleet } = await fleetUnderTest({ api, ...over });
      const error = await failure(call(fleet, {}));
      expect(error.changed).toBe(changed);
      expect(JSON.parse(JSON.stringify(error)).changed).toBe(changed);
    }
  });

  it("nothing sent", async () => {
    const { fleet, api } = await fleetUnderTest();
    expect(await failure(fleet.createJob({}))).toMatchObject({ code: "input", changed: "no" });
    expect(await failure(create(fleet, { signal: AbortSignal.abort() }))).toMatchObject({ code: "aborted", changed: "no" });
    expect(api.requests).toEqual([]);
  });
});

describe("a creation that an earlier process may have sent", () => {
  const input = { address: "a", jobNumber: "MINE-7" };
  const ours = { write: { maybeSent: true, generatedKey: true }, totalTimeout: 1_000 };
  const callers = { write: { maybeSent: true } };

  it("is inferred if only its generated number is rejected", async () => {
    const { fleet } = await fleetUnderTest({ api: [taken] });
    expect(await fleet.createJob(input, ours)).toEqual({ job: { jobNumber: "MINE-7" }, inferred: true });
  });

  it.each<[string, Answer, CallOptions]>([
    ["a number set by the caller is rejected", taken, callers],
    ["something else is rejected", { status: 400, body: [{ offendingFields: ["address"] }] }, ours],
    ["the number and something else are rejected", { status: 400, body: [{ offendingFields: ["jobNumber", "address"] }] }, ours],
    ["the credentials are rejected", { status: 403 }, ours],
  ])("has an unknown outcome if %s", async (_, answer, options) => {
    const { fleet } = await fleetUnderTest({ api: [answer] });
    const error = await failure(fleet.createJob(input, options));
    expect(error).toMatchObject({ code: "unknownOutcome", jobNumber: "MINE-7", changed: "unknown" });
    expect(error.advice).toContain('listJobs({ query: { jobNumber: "MINE-7" } })');
  });

  it("is created if the service says so", async () => {
    const { fleet } = await fleetUnderTest({ api: [created] });
    expect(await fleet.createJob(input, ours)).toEqual(created.body);
  });
});

describe("a write with finishOnceSent", () => {
  const finishing = (signal: AbortSignal): CallOptions => ({ signal, write: { finishOnceSent: true } });

  it("completes although the signal fires", async () => {
    const ending = new AbortController();
    const { fleet } = await fleetUnderTest({
      api: [
        (response) => {
          ending.abort();
          setTimeout(() => response.end(JSON.stringify(created.body)), 50);
        },
      ],
    });
    expect(await create(fleet, finishing(ending.signal))).toEqual(created.body);
  });

  it("is not sent if the signal fired before", async () => {
    const { fleet, api } = await fleetUnderTest({ auth: [silence] });
    const ending = new AbortController();
    const call = failure(create(fleet, finishing(ending.signal)));
    ending.abort();
    expect(await call).toMatchObject({ code: "aborted", changed: "no" });
    expect(api.requests).toEqual([]);
  });

  it("is not retried after the signal fired", async () => {
    const ending = new AbortController();
    const { fleet, api } = await fleetUnderTest({
      api: [
        (response) => {
          ending.abort();
          response.writeHead(503).end();
        },
      ],
      retries: 2,
    });
    expect(await failure(create(fleet, finishing(ending.signal)))).toMatchObject({ code: "unknownOutcome", changed: "unknown" });
    expect(api.requests).toHaveLength(1);
  });
});

describe("a write with beforeSend", () => {
  const refused = new FleetError("conflict", "another server sends this");

  it("asks before each attempt, and never for a read", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [{ status: 503 }, created, { body: { jobs: [] } }], retries: 1 });
    const asked: number[] = [];
    const beforeSend = async () => void asked.push(api.requests.length);
    await fleet.createJob({ address: "a", jobNumber: "MINE-7" }, { write: { beforeSend } });
    await fleet.listJobs({}, { write: { beforeSend } });
    expect(asked).toEqual([0, 1]);
  });

  it.each<[string, number, object]>([
    ["at first: nothing changed", 0, { code: "conflict", changed: "no", summary: refused.summary }],
    ["before a retry: the outcome is unknown", 1, { code: "unknownOutcome", changed: "unknown" }],
  ])("is not sent if that throws %s", async (_, allowed, error) => {
    const { fleet, api } = await fleetUnderTest({ api: [{ status: 503 }, created], retries: 3 });
    const beforeSend = async () => {
      if (api.requests.length === allowed) throw refused;
    };
    expect(await failure(create(fleet, { write: { beforeSend } }))).toMatchObject(error);
    expect(api.requests).toHaveLength(allowed);
  });
});
