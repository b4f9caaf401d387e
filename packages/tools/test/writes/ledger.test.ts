import { createFleetClient } from "@fleetwire/core";
import { describe, expect, it, vi } from "vitest";
import { createFleetTools, type FleetToolsOptions, fleetToolsConfigFromEnv } from "../../src/index.ts";
import type { Reply, Script } from "../fleet-service.ts";
import { memoryStore } from "../memory-store.ts";
import { NOW, servedFleet } from "../served-fleet.ts";

const SEAL_KEY = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
const PLACE = { lat: 45.5, lng: 4.5 };
const EARLIER = "an identical earlier call";
const created: Reply = { body: { job: { jobId: "j1" } } };

/** Processes that share a store, whose times pass three times as fast. */
async function replicas(script: Script, env: Record<string, string> = {}) {
  const shared = memoryStore();
  const fleet = await servedFleet({
    script: { listLivePositions: () => ({ body: [] }), ...script },
    env: { FLEET_SEAL_KEY: SEAL_KEY, ...env },
  });
  const replica = (options: FleetToolsOptions = {}) => {
    const { store, fail } = shared.connect();
    return { tools: fleet.another({}, { writeStore: store, ...options }), fail };
  };
  return { ...fleet, shared, replica };
}

it("a confirmation equals that of earlier releases, so that replicas can be replaced one by one", async () => {
  const origin = "https://fleet.example";
  const config = fleetToolsConfigFromEnv({
    FLEET_CUSTOMER_ID: "c42",
    FLEET_CLIENT_ID: "client",
    FLEET_CLIENT_SECRET: "secret",
    FLEET_BASE_URL: origin,
    FLEET_JOB_URL: origin,
    FLEET_AUTH_URL: origin,
    FLEET_SEAL_KEY: SEAL_KEY,
  });
  const tools = createFleetTools(config, { now: () => NOW, fleet: createFleetClient({ ...config, fetch: async () => new Response() }) });
  const preview = await tools.call("create_job", { ...PLACE, notes: "Łódź ✓" }, { idempotencyKey: "a" });
  expect(preview.structured).toHaveProperty("confirmation", "mwoqfslc.FW-C9YVT2RQ-3C1W2ZGPA7.H702lOi50JeYMuP3Qr-zhy");
});

it("an outcome that did not reach its caller is kept for ten minutes", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  try {
    for (const [minutes, isKept] of [
      [10, true],
      [10.001, false],
    ] as const) {
      const { tools, service } = await servedFleet({ script: { createJob: () => created } });
      await tools.call("create_job", PLACE, { delivered: async () => false });
      vi.advanceTimersByTime(minutes * 60_000);
      const { text } = await tools.call("create_job", PLACE);
      expect([text.includes(EARLIER), text.includes("interrupted"), service.of("createJob").length]).toEqual([
        isKept,
        false,
        isKept ? 1 : 2,
      ]);
    }
  } finally {
    vi.useRealTimers();
  }
});

describe("an idempotency key", () => {
  it.each<[string, Reply, boolean]>([
    ["was rejected", { status: 400, body: [] }, true],
    ["may have been sent", "reset", false],
    ["was sent", created, false],
  ])("whose job %s", async (_, reply, isFree) => {
    const { tools, service } = await servedFleet({ script: { createJob: () => reply } });
    const key = { idempotencyKey: "run-7/1" };
    await tools.call("create_job", PLACE, key);
    const { text } = await tools.call("create_job", { ...PLACE, notes: "x" }, key);
    expect(text.includes("idempotencyKey: was already used")).toBe(!isFree);
    expect(service.of("createJob")).toHaveLength(isFree ? 2 : 1);
  });
});

it.each([
  ["the same", "an earlier call with the same idempotency key"],
  ["another", EARLIER],
  [undefined, EARLIER],
])("an outcome that did not reach its caller is returned to a call with %s key, which says so", async (idempotencyKey, expected) => {
  const { tools, service } = await servedFleet({ script: { createJob: () => created } });
  await tools.call("create_job", PLACE, { idempotencyKey: "the same", delivered: async () => false });
  expect((await tools.call("create_job", PLACE, { idempotencyKey })).text).toContain(expected);
  expect(service.of("createJob")).toHaveLength(1);
});

describe("replicas", () => {
  it("wait for a write for as long as the service takes", async () => {
    let [running, together] = [0, 0];
    const { replica, service } = await replicas({
      createJob: async () => {
        together = Math.max(together, ++running);
        await new Promise((resolve) => setTimeout(resolve, 2_600));
        running -= 1;
        return created;
      },
    });
    const results = await Promise.all([replica(), replica()].map(({ tools }) => tools.call("create_job", PLACE)));
    expect([results.map(({ ok }) => ok), together, service.of("createJob").length]).toEqual([[true, true], 1, 2]);
  });

  it("finish an interrupted write even if one of them could not plan it", async () => {
    const truck = { assetId: "v12", assetName: "Truck 12" };
    let positions = [truck];
    let die = () => {};
    const dying = new Promise<void>((resolve) => {
      die = resolve;
    });
    const { replica, service, shared } = await replicas({
      listLivePositions: () => ({ body: positions }),
      createJob: () => {
        die();
        return service.of("createJob").length > 1 ? created : new Promise(() => {});
      },
    });
    const job = { ...PLACE, vehicleName: "Truck 12" };
    const [dead, other] = [replica(), replica()];
    void dead.tools.call("create_job", job);
    await dying;
    dead.fail(new Error("dead"));
    shared.endHolds();
    positions = [truck, { ...truck, assetId: "v13" }];
    expect((await other.tools.call("create_job", job)).structured).toHaveProperty("candidates");
    positions = [truck];
    expect((await other.tools.call("create_job", job)).text).toContain("An earlier call with the same arguments was interrupted");
    expect(new Set(service.of("createJob").map(({ body }) => body.jobNumber)).size).toBe(1);
  });

  it("know of a confirmation that expired whether it was used, whichever issued it", async () => {
    const { replica, service } = await replicas({ createJob: () => created }, { FLEET_CONFIRM: "auto" });
    const late = () => NOW + 10 * 60_000 + 1;
    const [issuer, other] = [replica(), replica({ now: late })];
    for (const [sends, expected] of [
      [false, "older than 10 minutes. This call sent nothing. Next: Call again"],
      [true, "already used"],
    ] as const) {
      const { confirmation } = (await issuer.tools.call("create_job", PLACE)).structured as { confirmation?: string };
      if (sends) await issuer.tools.call("create_job", { ...PLACE, confirmation });
      expect((await other.tools.call("create_job", { ...PLACE, confirmation })).text).toContain(expected);
    }
    expect(service.of("createJob")).toHaveLength(1);
  });
});
