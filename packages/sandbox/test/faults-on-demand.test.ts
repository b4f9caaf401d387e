import { LivePosition } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import { afterAll, describe, expect, test } from "vitest";
import { callSandbox } from "./sandbox-caller.ts";

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

  test.each([...["boom", "503@2", "nothing:503", "listVehicleFaults:drift-enum", "latency=long", "500=3", "redirect=nowhere"]])(
    "%s is refused by name",
    async (faults) => {
      expect(() => createSandbox({ faults })).toThrow(RangeError);
      expect(await sendWith(faults)).toMatchObject({ status: 400, body: { offendingFields: ["x-sandbox-fault"] } });
    },
  );
});
