import { LivePosition } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { afterAll, describe, expect, test } from "vitest";
import { callSandbox } from "./sandbox-caller.ts";

type Rows = Record<string, unknown>[];

const call = callSandbox();
const { env, origin } = await call.sandbox.listen();
afterAll(() => call.sandbox.close());

/** Over HTTP, since resets and cut bodies are visible only there. */
const get = (fault: string, init: RequestInit = {}) =>
  fetch(call.as(env).urls.live, { redirect: "manual", ...init, headers: { ...call.basic, "x-sandbox-fault": fault } });
const isReset = { cause: { code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) } };
const sendWith = (fault: string, authorization = call.basic.Authorization) =>
  call.send("GET", call.urls.live, { headers: { authorization, "x-sandbox-fault": fault } });

describe("instead of the work", () => {
  test.each<[string, number, RegExp]>([
    ["429", 429, /^1$/],
    ["429=7", 429, /^7$/],
    ["429=date:90", 429, /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/],
    ["500", 500, /^none$/],
    ["503", 503, /^none$/],
    ["503=3", 503, /^3$/],
  ])("%s responds with %i", async (fault, status, retryAfter) => {
    const { headers, ...response } = await sendWith(fault);
    expect(response).toMatchObject({ status, body: { errorCode: expect.any(Number), errorMessage: expect.any(String) } });
    expect(headers.get("retry-after") ?? "none").toMatch(retryAfter);
  });

  test("redirect points to the same path on another origin, or to a given URL", async () => {
    const response = await get("redirect");
    const location = new URL(response.headers.get("location") ?? "");
    expect([response.status, location.origin === origin, location.pathname.endsWith("/tracking/live")]).toEqual([302, false, true]);
    expect((await get("redirect=https://elsewhere.example/x")).headers.get("location")).toBe("https://elsewhere.example/x");
  });

  test.each(["reset-before", "reset-after"])("%s precedes any response", async (fault) => {
    await expect(get(fault)).rejects.toMatchObject(isReset);
  });
});

test("a job exists after its response was lost, but not after a reset before the work", async () => {
  for (const fault of ["reset-after", "reset-before"])
    await expect(call.createJob({ address: "Lyon", jobNumber: fault }, {}, fault)).rejects.toMatchObject({ code: "ECONNRESET" });
  expect((await call.listJobs()).jobs).toMatchObject([{ jobNumber: "reset-after" }]);
});

describe("bodies", () => {
  test.each(["latency=60", "slow-body=60"])("%s delays a complete response", async (fault) => {
    const startedAt = performance.now();
    expect(await (await get(fault)).json()).toHaveLength(48);
    expect(performance.now() - startedAt).toBeGreaterThan(45);
  });

  test("a stalled body ends only when the client gives up", async () => {
    const client = new AbortController();
    const response = await get("stalled-body", { signal: client.signal });
    expect(response.status).toBe(200);
    setTimeout(() => client.abort(), 100);
    await expect(response.text()).rejects.toMatchObject({ name: "AbortError" });
  });

  test("a cut body breaks the connection", async () => {
    const response = await get("cut-body");
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test.each(["truncated-json", "invalid-json"])("%s is a complete response that cannot be parsed", async (fault) => {
    const text = await (await get(fault)).text();
    expect(text.length).toBeGreaterThan(100);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });

  test.each<[string, (record: LivePosition) => boolean]>([
    ["drift-enum", (record) => record.eventType !== undefined && !LivePosition.safeParse(record).success],
    ["drift-extra", (record) => Object.keys(record).some((field) => !(field in LivePosition.shape))],
    ["drift-null", (record) => Object.values(record).includes(null as never)],
    ["drift-type", (record) => LivePosition.safeParse(record).error?.issues[0]?.code === "invalid_type"],
  ])("%s affects one record only", async (fault, isDrifted) => {
    const { body } = await sendWith(fault);
    expect([body.length, body.filter(isDrifted).length]).toEqual([48, 1]);
  });
});

describe("configured faults", () => {
  test("apply at their rate, to the same requests for a seed", async () => {
    const statuses = async (seed: number) => {
      const own = callSandbox({ seed, vehicles: 1, faults: "listLivePositions:503@0.3" });
      const list: number[] = [];
      for (let request = 0; request < 60; request++) list.push((await own.send("GET", own.urls.live, { headers: own.basic })).status);
      return list;
    };
    const first = await statuses(1);
    const count = first.filter((status) => status === 503).length;
    expect(count > 10 && count < 30).toBe(true);
    expect(await statuses(1)).toEqual(first);
    expect(await statuses(2)).not.toEqual(first);
  });

  test("apply only to the operation that they name", async () => {
    const own = callSandbox({ faults: "listLivePositions:503" });
    expect((await own.faults()).status).toBe(200);
    expect((await own.send("GET", own.urls.live, { headers: own.basic })).status).toBe(503);
  });

  test.each([
    ...["boom", "503@2", "nothing:503", "listVehicleFaults:drift-enum", "latency=long", "500=3", "redirect=nowhere"],
    ...["odd-end=soon", "odd-job=gone", "odd-late=never", "odd-plates=1"],
  ])("%s is refused by name", async (faults) => {
    expect(() => createSandbox({ faults })).toThrow(RangeError);
    expect(await sendWith(faults)).toMatchObject({ status: 400, body: { offendingFields: ["x-sandbox-fault"] } });
  });
});

describe("what services send although nothing documents it", () => {
  const truck = (all: Rows) => all.find(({ assetName }) => assetName === "Truck 12") ?? {};
  const count = (all: Rows, fits: (row: Record<string, unknown>) => boolean) => all.filter(fits).length;

  test.each<[fault: string, seen: (records: Rows) => unknown, value: unknown]>([
    ["odd-fix=Truck 12", (all) => [truck(all)["latitude"], truck(all)["longitude"]], [0, 0]],
    ["odd-fix", (all) => count(all, ({ latitude }) => latitude === 0), 1],
    ["odd-latitude", (all) => count(all, ({ latitude }) => latitude === -270), 1],
    ["odd-speed=Truck 12", truck, expect.objectContaining({ speed: 0.4, ignitionStatus: "OFF" })],
    ["odd-names", (all) => count(all, ({ driverName }) => /^Kowalski, /.test(String(driverName))), 2],
    ["odd-levels=Truck 12", (all) => truck(all)["fuelLevelPercentage"], -5],
    ["odd-private=Truck 12", truck, expect.objectContaining({ privacy: true, latitude: expect.any(Number) })],
    ["odd-twice=Truck 12", (all) => all.filter(({ assetName }) => assetName === "Truck 12").map(({ privacy }) => privacy), [false, true]],
    ["odd-plates", (all) => count(all, ({ assetRegistration }) => /[АВСЕНКМОРТХУ]/.test(String(assetRegistration))) > 0, true],
    ["odd-charset", (all) => all.length, 48],
    ["odd-nan", (all) => count(all, (row) => Object.values(row).includes("NaN")), 1],
  ])("%s", async (fault, seen, expected) => {
    const response = await call.sandbox.fetch(new Request(call.urls.live, { headers: { ...call.basic, "x-sandbox-fault": fault } }));
    const charset = /charset=(.*)$/i.exec(response.headers.get("content-type") ?? "")?.[1];
    const text = new TextDecoder(charset).decode(await response.arrayBuffer());
    expect(seen(JSON.parse(text.replace(":NaN", ':"NaN"')))).toEqual(expected);
  });

  test("odd-address: a vehicle has left the place of its address", async () => {
    const [away, plain] = [truck((await sendWith("odd-address=Truck 12")).body), truck(await call.live())];
    expect([away["city"], Math.round(Number(away["latitude"]) - Number(plain["latitude"]))]).toEqual([plain["city"], 3]);
  });

  test("pages of faults shift, are smaller than asked for, round down, and what is in progress ended long ago", async () => {
    const page = async (query: Record<string, string>, fault: string) =>
      (await call.send("GET", call.urls.faults, { query, headers: { ...call.basic, "x-sandbox-fault": fault } })).body;
    const [first, second] = [await page({ pageSize: "10" }, "odd-pages"), await page({ pageSize: "10", pageIndex: "1" }, "odd-pages")];
    expect([first.items.length, second.items.length, second.items[0]?.id]).toEqual([10, 11, first.items[9]?.id]);
    const capped = await page({ pageSize: "500" }, "odd-page-size=7");
    expect([capped.items.length, capped.pagination]).toEqual([7, { pageSize: 7, pageIndex: 0 }]);
    const { totalItems, totalPages } = (await page({ pageSize: "8" }, "odd-totals")).pagination;
    expect([totalItems % 8 > 0, totalPages]).toEqual([true, Math.floor(totalItems / 8)]);
    const { items } = await page({ pageSize: "500" }, "odd-end=1753");
    const running = items.flatMap(({ faults }: { faults: Rows }) => faults.filter(({ inProgress }) => inProgress));
    expect(new Set(running.map(({ endDate }: { endDate: string }) => endDate))).toEqual(new Set(["1753-01-01T00:00:00Z"]));
  });

  test("odd-card renews every driver's card in the middle of the period", async () => {
    type Driver = { driverId: string; driverKey: string; activities: unknown[] };
    const span = { startTime: "2026-11-16T00:00:00", endTime: "2026-11-20T00:00:00" };
    const [plain]: Driver[] = (await call.tacho(span)).body.data;
    const all: Driver[] = (await callSandbox({ faults: "odd-card" }).tacho(span)).body.data;
    const renewed = all.filter(({ driverId }) => driverId === plain?.driverId);
    expect(renewed.map(({ driverKey }) => driverKey.slice(0, 14))).toEqual(Array(2).fill(plain?.driverKey.slice(0, 14)));
    expect(new Set(renewed.map(({ driverKey }) => driverKey)).size).toBe(2);
    expect(renewed.flatMap(({ activities }) => activities)).toEqual(plain?.activities);
  });

  test.each<[fault: string, status: number, body: object, jobs: number]>([
    ["odd-job", 200, { job: {}, errors: [{ field: "vehicleName", message: expect.any(String) }] }, 0],
    ["odd-job=texts", 200, { errors: [expect.any(String)] }, 0],
    ["odd-job=object", 200, { job: null, errors: { vehicleName: expect.any(String) } }, 0],
    ["odd-job=taken", 200, { errors: [{ field: "jobNumber", message: expect.any(String) }] }, 0],
    ["odd-job=empty", 200, { job: {} }, 0],
    ["odd-job=zeros", 200, { job: { jobId: "0", jobNumber: " " } }, 0],
    ["odd-job=echo", 200, { job: { address: "Lyon", jobNumber: "4711" } }, 0],
    ["odd-number", 200, { job: { jobNumber: 4711 } }, 1],
    ["odd-late=20", 400, { offendingFields: ["vehicleName"] }, 0],
  ])("%s responds to a job creation with %i", async (fault, status, body, jobs) => {
    const own = callSandbox({ vehicles: 3 });
    expect(await own.createJob({ address: "Lyon", jobNumber: "4711" }, {}, fault)).toMatchObject({ status, body });
    expect((await own.listJobs()).jobs).toHaveLength(jobs);
  });

  test("odd-late: while the first attempt runs, its number is taken", async () => {
    const create = () => call.createJob({ address: "Lyon", jobNumber: "late" }, {}, "odd-late=100");
    const first = create();
    expect(await create()).toMatchObject({ status: 409, body: { offendingFields: ["jobNumber"] } });
    expect(await first).toMatchObject({ status: 400 });
  });

  test.each([
    ["odd-beside", { pageSize: 1000, jobs: [{ address: "Lyon" }] }],
    ["odd-next", { links: { next: expect.any(String) }, jobs: [{ address: "Lyon" }] }],
    ["odd-totals", { pagination: { totalItems: 1 } }],
  ])("%s says nothing else about the number of jobs", async (faults, expected) => {
    const own = callSandbox({ faults: `listJobs:${faults}` });
    await own.createJob({ address: "Lyon" });
    const jobs = await own.listJobs();
    expect(jobs).toMatchObject(expected);
    expect(jobs).not.toHaveProperty("total");
  });

  test("odd-token is of another type, and odd-403 concerns rejected credentials only", async () => {
    expect((await callSandbox({ faults: "odd-token" }).requestToken()).body).toMatchObject({ token_type: "mac" });
    expect([(await sendWith("odd-403", "Bearer expired")).status, (await sendWith("odd-403")).status]).toEqual([403, 200]);
  });
});
