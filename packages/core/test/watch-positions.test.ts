import { getEventListeners } from "node:events";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { logVisits } from "../examples/watch-positions.ts";
import { FleetError, type LivePosition, type PositionChange, type WatchFailure, type WatchOptions } from "../src/index.ts";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";
import { type Answer, silence, truncatedBody } from "./recording-server.ts";

const FASTER = 50;
const TIMEOUT = 90_000;

// The shortest interval is a second, so timers fire sooner, but for those of whole calls and of fetch, which pass arguments.
beforeEach(() => {
  const { setTimeout: real } = globalThis;
  const sooner = (run: () => void, delay = 0, ...args: []) =>
    real(run, args.length > 0 || delay >= TIMEOUT ? delay : delay / FASTER, ...args);
  vi.spyOn(globalThis, "setTimeout").mockImplementation(sooner as typeof setTimeout);
  return () => vi.restoreAllMocks();
});

const EVERY_SECOND = { intervalSeconds: 1 } as const;

const vehicle = (assetId: string, more: LivePosition = {}): LivePosition => ({ assetId, date: "2026-11-20T08:00:00.000Z", ...more });
const list = (...body: unknown[]): Answer => ({ body });
const busy: Answer = { status: 503, body: "" };

/** Watches until the given number of changes, or the end. */
async function watch(lists: Answer[], count: number, options: WatchOptions = {}) {
  const { fleet, api } = await fleetUnderTest({ api: lists });
  const changes: PositionChange[] = [];
  for await (const change of fleet.watchPositions({}, { ...EVERY_SECOND, ...options })) if (changes.push(change) === count) break;
  return { changes, api };
}

const [before, after] = [vehicle("v1", { speed: 50 }), vehicle("v1", { speed: 60 })];
const [added, removed] = [
  { change: "added", position: before },
  { change: "removed", position: { assetId: "v1" } },
] as const;
const changed = { change: "changed", position: after };
const marker = { change: "added", position: vehicle("end") };

it("a value that is nested too deeply to compare does not end the watch", async () => {
  const nested = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const body =
    (more: string): Answer =>
    (response) =>
      void response.writeHead(200, { "content-type": "application/json" }).end(`[{"assetId":"v1","x":${nested}${more}}]`);
  const { changes } = await watch([body(""), body(',"speed":5')], 2);
  expect(changes.map(({ change }) => change)).toEqual(["added", "changed"]);
});

describe("watchPositions yields", () => {
  const cases: { what: string; lists: Answer[]; options?: WatchOptions; expected: unknown[] }[] = [
    { what: "an addition", lists: [list(), list(before)], expected: [added] },
    { what: "a change of any field", lists: [list(before), list(after)], expected: [added, changed] },
    { what: "a removal, and a return", lists: [list(before), list(), list(before)], expected: [added, removed, added] },
    {
      what: "nothing for the same record, whatever the order of its fields",
      lists: [list(before), list(Object.fromEntries(Object.entries(before).reverse())), list(before, vehicle("end"))],
      expected: [added, marker],
    },
    {
      what: "a change of an undocumented field",
      lists: [list({ ...before, cargo: 1 }), list({ ...before, cargo: 2 })],
      expected: [
        { change: "added", position: { cargo: 1 } },
        { change: "changed", position: { cargo: 2 } },
      ],
    },
    {
      what: "only changes of the given fields",
      lists: [list(before), list(after), list({ ...after, date: "2026-11-20T08:00:30.000Z" })],
      options: { fields: ["date"] },
      expected: [added, { change: "changed", position: { date: "2026-11-20T08:00:30.000Z" } }],
    },
    {
      what: "no initial vehicles if told so",
      lists: [list(before), list(after, vehicle("end"))],
      options: { includeInitial: false },
      expected: [changed, marker],
    },
    {
      what: "nothing of the first list if told so, even of a vehicle listed twice",
      lists: [list(before, { ...after, date: "2026-11-20T08:00:30.000Z" }), list(vehicle("end"))],
      options: { includeInitial: false },
      expected: [marker],
    },
    {
      what: "the records before, if told so",
      lists: [list(before), list(after), list()],
      options: { withPrevious: true },
      expected: [added, { ...changed, previous: before }, { change: "removed", position: after }],
    },
    {
      what: "the latest record of a vehicle that is listed twice, in any order",
      lists: [
        list(before, vehicle("v1", { date: "2026-11-20T07:00:00.000Z" })),
        list(vehicle("v1", { date: "2026-11-20T07:00:00.000Z" }), before),
        list(vehicle("v1", { date: "2026-11-20T07:00:00.000Z" }), after),
      ],
      expected: [added, changed],
    },
    {
      what: "the latest record, with dates in other offsets",
      lists: [
        list(
          vehicle("v1", { date: "2026-11-20T08:30:00+01:00", speed: 1 }),
          vehicle("v1", { date: "2026-11-20T03:00:00-05:00", speed: 2 }),
        ),
        list(marker.position),
      ],
      options: { fields: ["speed"] },
      expected: [
        { change: "added", position: { speed: 1 } },
        { change: "changed", position: { speed: 2 } },
      ],
    },
    {
      what: "the private record of two with the same instant, in any order",
      lists: [
        list(before, vehicle("v1", { privacy: true })),
        list(vehicle("v1", { privacy: true }), before),
        list(before, vehicle("v1", { privacy: true }), vehicle("end")),
      ],
      expected: [added, { change: "changed", position: { privacy: true } }, marker],
    },
    { what: "nothing for a record without an id", lists: [list({ assetName: "Truck" }, vehicle("end"))], expected: [marker] },
  ];

  it.each(cases)("$what", async ({ lists, options, expected }) => {
    const { changes } = await watch(lists, expected.length, options);
    expect(changes).toMatchObject(expected);
    if (!options?.withPrevious) expect(changes.some((change) => "previous" in change)).toBe(false);
  });

  it("what the filters select", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [list(before)] });
    for await (const _ of fleet.watchPositions({ vehicleIds: ["v1"] }, EVERY_SECOND)) break;
    expect(api.requests[0]?.url).toMatch(/\/tracking\/live\?vehicleIds=v1$/);
  });
});

it("watchPositions reads every 10 seconds unless an interval is given", async () => {
  const { fleet } = await fleetUnderTest({ api: [list(), list(before)] });
  for await (const _ of fleet.watchPositions()) break;
  expect(vi.mocked(setTimeout).mock.calls.map(([, delay]) => delay)).toContain(10_000);
});

describe("while the service fails, watchPositions", () => {
  it("reads again, later each time, and removes nothing", async () => {
    const failures: WatchFailure[] = [];
    const lists = [list(before, vehicle("v2")), busy, truncatedBody, { status: 429, headers: { "retry-after": "20" } }, list(after)];
    const { changes, api } = await watch(lists, 4, { onFailure: (event) => failures.push(event) });
    expect(changes.map(({ change, position }) => [change, position.assetId])).toEqual([
      ["added", "v1"],
      ["added", "v2"],
      ["changed", "v1"],
      ["removed", "v2"],
    ]);
    expect(failures.map(({ error, failures, delay }) => [error.code, failures, delay])).toEqual([
      ["upstream", 1, 1000],
      ["network", 2, 2000],
      ["rateLimited", 3, 20_000],
    ]);
    expect(api.requests).toHaveLength(5);
  });

  it("ignores what onFailure throws, at once or later", async () => {
    const onFailure = vi.fn();
    onFailure.mockImplementationOnce(() => Promise.reject(new Error("async")));
    onFailure.mockImplementationOnce(() => {
      throw new Error("sync");
    });
    const { changes } = await watch([list(before), busy, busy, list(after)], 2, { onFailure });
    expect(changes.map(({ change }) => change)).toEqual(["added", "changed"]);
    expect(onFailure).toHaveBeenCalledTimes(2);
  });

  it("waits longer after each failure in a row", async () => {
    const delays: number[] = [];
    const lists = [list(before), busy, busy, list(after), busy, list(before)];
    const { fleet } = await fleetUnderTest({ api: lists, random: () => 0.5 });
    const changes = fleet.watchPositions({}, { ...EVERY_SECOND, onFailure: ({ delay }) => delays.push(delay) });
    for (let count = 0; count < 3; count++) await changes.next();
    await changes.return();
    expect(delays).toEqual([1500, 3000, 1500]);
    expect(vi.mocked(setTimeout).mock.calls.map(([, delay]) => delay)).toEqual(expect.arrayContaining(delays));
  });

  it("waits no longer than a minute", async () => {
    const { fleet } = await fleetUnderTest({ api: [list(before), busy], random: () => 0.5 });
    const failures: WatchFailure[] = [];
    const onFailure = (failure: WatchFailure) => {
      failures.push(failure);
      void changes.return();
    };
    const changes = fleet.watchPositions({}, { intervalSeconds: 40, onFailure });
    await changes.next();
    expect(await changes.next()).toEqual({ done: true, value: undefined });
    expect(failures).toMatchObject([{ delay: 45_000 }]);
  });

  const endings: { what: string; lists: Answer[]; options?: WatchOptions; code: string; requests: number }[] = [
    {
      what: "only once the next read would be later than maxOutageSeconds",
      lists: [list(), busy],
      options: { maxOutageSeconds: 1 },
      code: "upstream",
      requests: 3,
    },
    { what: "after maxOutageSeconds", lists: [list(), busy], options: { maxOutageSeconds: 1.5 }, code: "upstream", requests: 3 },
    {
      what: "at once if it must wait for longer than that",
      lists: [list(), { status: 503, headers: { "retry-after": "901" } }],
      code: "upstream",
      requests: 2,
    },
    { what: "at once before the first complete list", lists: [busy], code: "upstream", requests: 1 },
    { what: "after as many retries as given", lists: [busy], options: { retries: 1 }, code: "upstream", requests: 2 },
    { what: "at the first failure if told so", lists: [list(), busy], options: { maxOutageSeconds: 0 }, code: "upstream", requests: 2 },
    { what: "at once if another read would not help", lists: [list(), { status: 403, body: "" }], code: "forbidden", requests: 2 },
  ];

  it.each(endings)("ends with the error $what", async ({ lists, options, code, requests }) => {
    const { fleet, api } = await fleetUnderTest({ api: lists });
    const error = await failure(fleet.watchPositions({}, { ...EVERY_SECOND, ...options }).next());
    expect(error.code).toBe(code);
    expect(api.requests).toHaveLength(requests);
  });
});

describe("watchPositions ends", () => {
  /** Resolves once the server's side of a request that gets no response is closed. */
  const unanswered = () => {
    let onClose = () => {};
    const closed = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    const answer: Answer = (response, request) => {
      response.once("close", onClose);
      return silence(response, request);
    };
    return { answer, closed };
  };

  it("a read when its signal fires, and rejects with aborted", async () => {
    const { answer, closed } = unanswered();
    const { fleet, api } = await fleetUnderTest({ api: [answer] });
    const controller = new AbortController();
    const next = failure(fleet.watchPositions({}, { signal: controller.signal }).next());
    await api.arrived(1);
    controller.abort();
    expect((await next).code).toBe("aborted");
    await closed;
  });

  it("before the first request if its signal has fired", async () => {
    const { fleet, api } = await fleetUnderTest();
    expect((await failure(fleet.watchPositions({}, { signal: AbortSignal.abort() }).next())).code).toBe("aborted");
    expect(api.requests).toHaveLength(0);
  });

  it("without a listener on its signal", async () => {
    const { fleet } = await fleetUnderTest({ api: [list(before)] });
    const { signal } = new AbortController();
    for await (const _ of fleet.watchPositions({}, { signal })) break;
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it.each([
    [{ timeout: 1234 }, 1234],
    [{ timeout: 5000, totalTimeout: 2345 }, 2345],
  ])("a read after the time given with %o", async (options, expected) => {
    const { fleet } = await fleetUnderTest({ api: [silence] });
    expect((await failure(fleet.watchPositions({}, options).next())).code).toBe("timeout");
    expect(vi.mocked(setTimeout).mock.calls.map(([, delay = 0]) => Math.ceil(delay))).toContain(expected);
  });

  it("a read when the caller returns", async () => {
    const { answer, closed } = unanswered();
    const { fleet, api } = await fleetUnderTest({ api: [answer] });
    const changes = fleet.watchPositions();
    const next = changes.next();
    await api.arrived(1);
    await changes.return();
    expect(await next).toEqual({ done: true, value: undefined });
    await closed;
  });

  it("a wait when the caller returns: no timer and no further request", async () => {
    const { fleet, api } = await fleetUnderTest({ api: [list(before)] });
    const changes = fleet.watchPositions({}, { intervalSeconds: 86_400 });
    await changes.next();
    const next = changes.next();
    await vi.waitFor(() => expect(vi.mocked(setTimeout).mock.calls.some(([, delay]) => delay === 86_400_000)).toBe(true));
    await changes.return();
    expect(await next).toEqual({ done: true, value: undefined });
    expect(await changes.next()).toEqual({ done: true, value: undefined });
    expect(api.requests).toHaveLength(1);
  });

  it("with an error that its caller throws into it, even one that looks like a failure of the network", async () => {
    const { fleet } = await fleetUnderTest({ api: [list(), list(before), list(after)] });
    const changes = fleet.watchPositions({}, EVERY_SECOND);
    await changes.next();
    const thrown = Object.assign(new Error("lost"), { code: "network" });
    await expect(changes.throw(thrown)).rejects.toBe(thrown);
  });

  it.each([
    [{ intervalSeconds: 0.5 }, /intervalSeconds must be from 1 to 86400/],
    [{ intervalSeconds: 86_401 }, /intervalSeconds must be from 1 to 86400/],
    [{ intervalSeconds: Number.NaN }, /intervalSeconds/],
    [{ maxOutageSeconds: -1 }, /maxOutageSeconds must be 0 or more/],
    [{ fields: ["colour"] as never }, /fields must be a list of fields of a live position/],
    [{ fields: "date" as never }, /fields must be a list of fields of a live position/],
    [{ signal: {} as never }, /signal must be an AbortSignal/],
    [{}, /^watchPositions: intervalSeconds is an option, and belongs in the second argument$/, { intervalSeconds: 2 } as object],
  ])("at once with invalid options: %o", async (options, expected, input = {}) => {
    const { fleet, api } = await fleetUnderTest();
    const error = await failure(fleet.watchPositions(input, options).next());
    expect(error).toBeInstanceOf(FleetError);
    expect([error.code, error.message, error.operation]).toEqual(["input", expect.stringMatching(expected), "listLivePositions"]);
    expect(error.advice).toBe("Fix the options; nothing was sent");
    expect(api.requests).toHaveLength(0);
  });
});

describe("watchPositions never reads twice at the same time", () => {
  it("however long a read takes", async () => {
    let [open, most] = [0, 0];
    const slow: Answer = async (response) => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      open--;
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify([vehicle("v1", { speed: Math.random() })]));
    };
    await watch([slow], 4);
    expect(most).toBe(1);
  });
});

describe("the example", () => {
  it("logs arrivals, departures and failures until its signal fires", async () => {
    const at = (location?: string) =>
      vehicle("v1", { assetName: "Truck 12", ...(location && { locationId: location, locationName: location }) });
    const { fleet } = await fleetUnderTest({ api: [list(at("Depot")), list(at()), busy, list(at("Harbour"))] });
    const controller = new AbortController();
    const lines: string[] = [];
    await logVisits(fleet, controller.signal, (line) => {
      if (lines.push(line) === 3) controller.abort();
    });
    expect(lines).toEqual(["Truck 12 left Depot", "upstream; next attempt in 30 s", "Truck 12 arrived at Harbour"]);
  });
});
