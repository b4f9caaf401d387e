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

  test.each(["boom", "503@2", "nothing:503", "latency=long", "500=3", "redirect=nowhere"])("%s is refused by name", async (faults) => {
    expect(() => createSandbox({ faults })).toThrow(RangeError);
    const call = callSandbox();
    const response = await call.send("GET", call.urls.live, { headers: { ...call.basic, "x-sandbox-fault": faults } });
    expect(response).toMatchObject({ status: 400, body: { offendingFields: ["x-sandbox-fault"] } });
  });
});
