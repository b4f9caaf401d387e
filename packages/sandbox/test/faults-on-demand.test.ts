import { LivePosition } from "@fleetwire/core";
import { createSandbox, type SandboxOptions } from "@fleetwire/sandbox";
import { afterEach, describe, expect, test } from "vitest";
import { callSandbox } from "./sandbox-caller.ts";

const open: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const sandbox of open.splice(0)) await sandbox.close();
});

/** A sandbox behind a socket, since resets and cut bodies are visible only there. */
async function serve(options: SandboxOptions = {}) {
  const sandbox = createSandbox(options);
  open.push(sandbox);
  const { origin, env } = await sandbox.listen();
  const authorization = `Basic ${btoa(`${env["FLEET_CLIENT_ID"]}:${env["FLEET_CLIENT_SECRET"]}`)}`;
  const live = `${env["FLEET_BASE_URL"]}/public/v1/customer/${env["FLEET_CUSTOMER_ID"]}/tracking/live`;
  return {
    origin,
    get: (fault: string, init: RequestInit = {}) =>
      fetch(live, { redirect: "manual", ...init, headers: { authorization, "x-sandbox-fault": fault } }),
  };
}

describe("chosen S46: instead of the work", () => {
  const rows: [string, number, RegExp | null][] = [
    ["429", 429, /^1$/],
    ["429=7", 429, /^7$/],
    ["429=date:90", 429, /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/],
    ["500", 500, null],
    ["503", 503, null],
    ["503=3", 503, /^3$/],
  ];
  test.each(rows)("%s responds with %i", async (fault, status, retryAfter) => {
    const response = await (await serve()).get(fault);
    expect(response.status).toBe(status);
    if (retryAfter) expect(response.headers.get("retry-after")).toMatch(retryAfter);
    else expect(response.headers.get("retry-after")).toBeNull();
    expect(await response.json()).toMatchObject({ errorCode: expect.any(Number), errorMessage: expect.any(String) });
  });

  test("redirect points to the same path on another origin, or to a given URL", async () => {
    const { get, origin } = await serve();
    const response = await get("redirect");
    expect(response.status).toBe(302);
    const location = new URL(response.headers.get("location") ?? "");
    expect([location.origin === origin, location.pathname.endsWith("/tracking/live")]).toEqual([false, true]);
    expect((await get("redirect=https://elsewhere.example/x")).headers.get("location")).toBe("https://elsewhere.example/x");
  });

  test("a reset precedes any response", async () => {
    await expect((await serve()).get("reset-before")).rejects.toMatchObject({
      cause: { code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) },
    });
  });
});

describe("chosen S46: a lost response", () => {
  test("a job exists after its response was lost, but not after a reset before the work", async () => {
    const call = callSandbox();
    const headers = { ...(await call.connect()), ...call.json };
    const create = (fault: string, jobNumber: string) =>
      call.send("POST", call.urls.job, { headers: { ...headers, "x-sandbox-fault": fault }, body: { address: "Lyon", jobNumber } });
    await expect(create("reset-after", "after")).rejects.toMatchObject({ code: "ECONNRESET" });
    await expect(create("reset-before", "before")).rejects.toMatchObject({ code: "ECONNRESET" });
    expect((await call.listJobs()).jobs).toMatchObject([{ jobNumber: "after" }]);
  });

  test("occurs over HTTP too", async () => {
    await expect((await serve()).get("reset-after")).rejects.toMatchObject({
      cause: { code: expect.stringMatching(/ECONNRESET|UND_ERR_SOCKET/) },
    });
  });
});

describe("chosen S46: bodies", () => {
  test("latency delays the response", async () => {
    const { get } = await serve();
    const startedAt = performance.now();
    expect((await get("latency=150")).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(145);
  });

  test("a slow body arrives complete", async () => {
    const { get } = await serve();
    const startedAt = performance.now();
    expect(await (await get("slow-body=300")).json()).toHaveLength(48);
    expect(performance.now() - startedAt).toBeGreaterThan(250);
  });

  test("a stalled body ends only when the client gives up", async () => {
    const { get } = await serve();
    const client = new AbortController();
    const response = await get("stalled-body", { signal: client.signal });
    expect(response.status).toBe(200);
    setTimeout(() => client.abort(), 300);
    await expect(response.text()).rejects.toMatchObject({ name: "AbortError" });
  });

  test("a cut body breaks the connection", async () => {
    const response = await (await serve()).get("cut-body");
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
  });

  test.each(["truncated-json", "invalid-json"])("%s is a complete response that cannot be parsed", async (fault) => {
    const response = await (await serve()).get(fault);
    const text = await response.text();
    expect(text.length).toBeGreaterThan(100);
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
  });
});

describe("chosen S46: drift", () => {
  const rows: [string, (record: LivePosition) => boolean][] = [
    ["drift-enum", (record) => record.eventType !== undefined && LivePosition.safeParse(record).success === false],
    ["drift-extra", (record) => Object.keys(record).some((field) => !(field in LivePosition.shape))],
    ["drift-null", (record) => Object.values(record).includes(null as never)],
    ["drift-type", (record) => LivePosition.safeParse(record).error?.issues[0]?.code === "invalid_type"],
  ];
  test.each(rows)("%s affects one record only", async (fault, isDrifted) => {
    const records = (await (await (await serve()).get(fault)).json()) as LivePosition[];
    expect(records).toHaveLength(48);
    expect(records.filter(isDrifted)).toHaveLength(1);
  });
});

describe("chosen S46: configured faults", () => {
  const statuses = async (seed: number) => {
    const call = callSandbox({ seed, vehicles: 1, faults: "listLivePositions:503@0.3" });
    const found: number[] = [];
    for (let request = 0; request < 200; request++) found.push((await call.send("GET", call.urls.live, { headers: call.basic })).status);
    return found;
  };

  test("apply at their rate, to the same requests for a seed", async () => {
    const first = await statuses(1);
    const share = first.filter((status) => status === 503).length / first.length;
    expect(share).toBeGreaterThan(0.2);
    expect(share).toBeLessThan(0.4);
    expect(await statuses(1)).toEqual(first);
    expect(await statuses(2)).not.toEqual(first);
  });

  test("apply only to the operation that they name", async () => {
    const call = callSandbox({ faults: "listLivePositions:503" });
    expect((await call.faults()).status).toBe(200);
    expect((await call.send("GET", call.urls.live, { headers: call.basic })).status).toBe(503);
  });

  test.each(["boom", "503@2", "nothing:503", "listVehicleFaults:drift-enum", "latency=long", "500=3", "redirect=nowhere"])(
    "%s is refused by name",
    async (faults) => {
      expect(() => createSandbox({ faults })).toThrow(RangeError);
      const call = callSandbox();
      const response = await call.send("GET", call.urls.live, { headers: { ...call.basic, "x-sandbox-fault": faults } });
      expect(response).toMatchObject({ status: 400, body: { offendingFields: ["x-sandbox-fault"] } });
    },
  );
});

describe("chosen S46: what services send although nothing documents it", () => {
  const NOW = Date.UTC(2026, 10, 20, 9);
  type Rows = Record<string, unknown>[];

  const positions: [fault: string, expected: (records: Rows) => unknown, value: unknown][] = [
    [
      "odd-fix=Truck 12",
      (all) => all.filter(({ latitude, longitude }) => latitude === 0 && longitude === 0).map(({ assetName }) => assetName),
      ["Truck 12"],
    ],
    ["odd-fix", (all) => all.filter(({ latitude }) => latitude === 0).length, 1],
    ["odd-latitude", (all) => all.filter(({ latitude }) => latitude === -270).length, 1],
    [
      "odd-speed=Truck 12",
      (all) => all.find(({ assetName }) => assetName === "Truck 12"),
      expect.objectContaining({ speed: 0.4, ignitionStatus: "OFF" }),
    ],
    ["odd-names", (all) => all.filter(({ driverName }) => /^Kowalski, /.test(String(driverName))).length, 2],
    ["odd-levels=Truck 12", (all) => all.find(({ assetName }) => assetName === "Truck 12")?.["fuelLevelPercentage"], -5],
    [
      "odd-private=Truck 12",
      (all) =>
        all.filter(({ privacy }) => privacy === true).some(({ assetName, latitude }) => assetName === "Truck 12" && latitude !== undefined),
      true,
    ],
    ["odd-twice=Truck 12", (all) => all.filter(({ assetName }) => assetName === "Truck 12").map(({ privacy }) => privacy), [false, true]],
    ["odd-plates", (all) => all.some(({ assetRegistration }) => /[АВСЕНКМОРТХУ]/.test(String(assetRegistration))), true],
    ["odd-charset", (all) => all.length, 48],
  ];
  test.each(positions)("%s", async (fault, seen, expected) => {
    const call = callSandbox({ clock: () => NOW });
    const response = await call.sandbox.fetch(new Request(call.urls.live, { headers: { ...call.basic, "x-sandbox-fault": fault } }));
    const charset = /charset=(.*)$/i.exec(response.headers.get("content-type") ?? "")?.[1];
    expect(seen(JSON.parse(new TextDecoder(charset).decode(await response.arrayBuffer())) as Rows)).toEqual(expected);
  });

  test("odd-nan is not JSON", async () => {
    const call = callSandbox();
    const response = await call.sandbox.fetch(new Request(call.urls.live, { headers: { ...call.basic, "x-sandbox-fault": "odd-nan" } }));
    const text = await response.text();
    expect(text.match(/:NaN/g)).toHaveLength(1);
    expect(JSON.parse(text.replace(":NaN", ":0"))).toHaveLength(48);
  });

  test("pages of faults shift, are smaller than asked for, round down, and what is in progress ended long ago", async () => {
    const call = callSandbox({ clock: () => NOW });
    const page = async (query: Record<string, string>, fault: string) => {
      const { body } = await call.send("GET", call.urls.faults, { query, headers: { ...call.basic, "x-sandbox-fault": fault } });
      return body as { items: { id: string; faults: { inProgress: boolean; endDate?: string }[] }[]; pagination: Record<string, number> };
    };
    const [first, second] = [await page({ pageSize: "10" }, "odd-pages"), await page({ pageSize: "10", pageIndex: "1" }, "odd-pages")];
    expect([first.items.length, second.items.length, second.items[0]?.id]).toEqual([10, 11, first.items[9]?.id]);
    const capped = await page({ pageSize: "500" }, "odd-page-size=7");
    expect([capped.items.length, capped.pagination]).toEqual([7, { pageSize: 7, pageIndex: 0 }]);
    const { totalItems = 0, totalPages = 0, pageSize = 0 } = (await page({ pageSize: "8" }, "odd-totals")).pagination;
    expect([totalItems % pageSize > 0, totalPages]).toEqual([true, Math.floor(totalItems / pageSize)]);
    const running = (await page({ pageSize: "500" }, "odd-end=1753")).items.flatMap(({ faults }) =>
      faults.filter(({ inProgress }) => inProgress),
    );
    expect(new Set(running.map(({ endDate }) => endDate))).toEqual(new Set(["1753-01-01T00:00:00Z"]));
  });

  test("odd-card renews every driver's card in the middle of the period", async () => {
    const call = callSandbox({ clock: () => NOW });
    const drivers = async (faults?: string) => {
      const { body } = await (faults === undefined ? call : callSandbox({ clock: () => NOW, faults })).tacho({
        startTime: "2026-11-16T00:00:00",
        endTime: "2026-11-20T00:00:00",
      });
      return body.data as { driverId: string; driverKey: string; activities: unknown[] }[];
    };
    const [plain, renewed] = [await drivers(), await drivers("odd-card")];
    const of = (list: typeof plain) => list.filter(({ driverId }) => driverId === plain[0]?.driverId);
    expect(of(renewed).map(({ driverKey }) => driverKey.slice(0, 14))).toEqual(Array(2).fill(plain[0]?.driverKey.slice(0, 14)));
    expect(new Set(of(renewed).map(({ driverKey }) => driverKey)).size).toBe(2);
    expect(of(renewed).flatMap(({ activities }) => activities)).toEqual(plain[0]?.activities);
  });

  const creations: [fault: string, status: number, body: object, jobs: number][] = [
    ["odd-job", 200, { job: {}, errors: [{ field: "vehicleName", message: expect.any(String) }] }, 0],
    ["odd-job=texts", 200, { errors: [expect.any(String)] }, 0],
    ["odd-job=object", 200, { job: null, errors: { vehicleName: expect.any(String) } }, 0],
    ["odd-job=taken", 200, { errors: [{ field: "jobNumber", message: expect.any(String) }] }, 0],
    ["odd-job=empty", 200, { job: {} }, 0],
    ["odd-job=zeros", 200, { job: { jobId: "0", jobNumber: " " } }, 0],
    ["odd-job=echo", 200, { job: { address: "Lyon", jobNumber: "4711" } }, 0],
    ["odd-number", 200, { job: { jobNumber: 4711 } }, 1],
    ["odd-late=20", 400, { offendingFields: ["vehicleName"] }, 0],
  ];
  test.each(creations)("%s responds to a job creation with %i", async (fault, status, body, jobs) => {
    const call = callSandbox();
    const headers = { ...(await call.connect()), ...call.json, "x-sandbox-fault": fault };
    expect(await call.send("POST", call.urls.job, { headers, body: { address: "Lyon", jobNumber: "4711" } })).toMatchObject({
      status,
      body,
    });
    expect((await call.listJobs()).jobs).toHaveLength(jobs);
  });

  test("odd-late: while the first attempt runs, its number is taken", async () => {
    const call = callSandbox();
    const headers = { ...(await call.connect()), ...call.json, "x-sandbox-fault": "odd-late=200" };
    const create = () => call.send("POST", call.urls.job, { headers, body: { address: "Lyon", jobNumber: "late" } });
    const first = create();
    expect(await create()).toMatchObject({ status: 409, body: { offendingFields: ["jobNumber"] } });
    expect(await first).toMatchObject({ status: 400 });
  });

  test.each([
    ["odd-beside", { pageSize: 1000, jobs: [{ address: "Lyon" }] }],
    ["odd-next", { links: { next: expect.any(String) }, jobs: [{ address: "Lyon" }] }],
    ["odd-totals", { pagination: { totalItems: 1 } }],
  ])("%s says nothing else about the number of jobs", async (faults, expected) => {
    const call = callSandbox({ faults: `listJobs:${faults}` });
    await call.createJob({ address: "Lyon" });
    const jobs = await call.listJobs();
    expect(jobs).toMatchObject(expected);
    expect(jobs).not.toHaveProperty("total");
  });

  test("a vehicle that has left the place of its address, and a token of another type", async () => {
    const [at, plain] = await Promise.all(
      ["listLivePositions:odd-address=Truck 12", ""].map(async (faults) => {
        const call = callSandbox({ clock: () => NOW, faults });
        const { body } = await call.send("GET", call.urls.live, { headers: call.basic });
        return (body as Rows).find(({ assetName }) => assetName === "Truck 12");
      }),
    );
    expect([at?.["city"], Math.round(Number(at?.["latitude"]) - Number(plain?.["latitude"]))]).toEqual([plain?.["city"], 3]);
    const call = callSandbox({ faults: "odd-token" });
    const { body } = await call.send("POST", `${call.sandbox.env["FLEET_AUTH_URL"]}/vendor-oauth/oauth/accessToken`, {
      headers: { ...call.basic, "Content-Type": "application/x-www-form-urlencoded" },
      text: "grant_type=client_credentials",
    });
    expect(body).toMatchObject({ token_type: "mac" });
  });

  test("odd-403 concerns rejected credentials only", async () => {
    const call = callSandbox();
    const send = (fault: string, authorization: string) =>
      call.send("GET", call.urls.live, { headers: { authorization, "x-sandbox-fault": fault } });
    expect(await send("odd-403", "Bearer expired")).toMatchObject({ status: 403 });
    expect(await send("odd-403", call.basic.Authorization)).toMatchObject({ status: 200 });
  });

  test.each(["odd-end=soon", "odd-job=gone", "odd-late=never", "odd-plates=1"])("%s is refused by name", (faults) => {
    expect(() => createSandbox({ faults })).toThrow(RangeError);
  });
});
