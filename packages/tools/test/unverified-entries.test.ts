import { createFleetClient } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import type { FleetToolsConfig } from "../src/index.ts";
import { CALLS, fleetUnderTest, JOB } from "./fleet-under-test.ts";
import { memoryStore } from "./writes/served-writes.ts";

const CONFIRMED = { sealKey: btoa("k".repeat(32)) };
const UNCONFIRMED = { ...CONFIRMED, confirm: "never" as const };
const { update_group: GROUP = {} } = CALLS;

/** What was stored instead, or a change of it. */
const ALTERED: [string, (value: string) => unknown][] = [
  ["an object", () => "{}"],
  ["a number", () => "5"],
  ["no text", () => ({ number: "FW-1" })],
  ["an entry without signature", () => '{"number":"FW-00000000-0000000000"}'],
  ["another number or owner", (value) => value.replace(/[0-9a-f]{8}(?=-)/g, "00000000")],
  ["another signature", (value) => `${value.startsWith("A") ? "B" : "A"}${value.slice(1)}`],
];

/** A store in which a process that died has left a call of create_job, and one of update_group. */
async function leftBehind(config: Partial<FleetToolsConfig>) {
  const shared = memoryStore();
  const fleet = await fleetUnderTest({ config });
  const before = (await fleet.jobs()).length;
  const other = fleet.another({}, { writeStore: shared.connect().store });
  const confirmation = async () => ((await other.call("create_job", JOB)).structured as { confirmation?: string }).confirmation;
  const job = config.confirm === "never" ? JOB : { ...JOB, confirmation: await confirmation() };
  const die = async (tool: string, args: object) => {
    const { store, fail } = shared.connect();
    await new Promise<void>((resolve) => {
      const client = createFleetClient({
        ...fleet.settings,
        fetch: async (url, init) => {
          if (init?.method !== "PUT" && !String(url).endsWith("/job/create")) return fetch(url, init);
          fail(new Error("dead"));
          resolve();
          return new Promise(() => {});
        },
      });
      void fleet.another({}, { fleet: client, writeStore: store }).call(tool, args as Record<string, unknown>);
    });
  };
  const timed = async (tool: string, args: object) => {
    const startedAt = performance.now();
    const result = await other.call(tool, args as Record<string, unknown>);
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    return result;
  };
  return { shared, fleet, job, die, timed, created: async () => (await fleet.jobs()).length - before };
}

describe("an entry that cannot be verified", () => {
  describe.each(["hold", "record"] as const)("as the %s of a write", (which) => {
    it.each(ALTERED)("sends nothing and names the store: %s", async (_, change) => {
      const { shared, fleet, job, die, timed, created } = await leftBehind(UNCONFIRMED);
      await die("create_job", job);
      if (which === "record") shared.endHolds();
      shared.alter(which, change);
      const result = await timed("create_job", job);
      expect(result).toMatchObject({ ok: false, structured: { error: { code: "unknownOutcome" } } });
      expect(result.text).toMatch(/the store .* cannot be verified; this call sent nothing.*list_jobs/s);
      expect(result.text).not.toContain("00000000");
      // The hold's record is intact, and names the number.
      if (which === "hold") expect(result.text).toMatch(/jobNumber=FW-/);
      expect([fleet.writes(), await created()]).toEqual([[], 0]);
    });
  });

  it("is reported once, with the number of the confirmation, and the same call can then be repeated", async () => {
    const { shared, job, die, timed, created } = await leftBehind(CONFIRMED);
    await die("create_job", job);
    shared.endHolds();
    shared.alter("record", (value) => (value.includes("{") ? "{}" : value));
    const result = await timed("create_job", job);
    const [, number] = /\.(FW-[\w-]+)\./.exec((job as { confirmation: string }).confirmation) ?? [];
    expect(result.text).toContain(`jobNumber=${number}`);
    await expect.poll(async () => (await timed("create_job", job)).text).toContain("already used");
    expect(await created()).toBe(0);
  });

  it("does not count as the use of a confirmation", async () => {
    const { shared, fleet, job, timed } = await leftBehind(CONFIRMED);
    const first = fleet.another({}, { writeStore: shared.connect().store });
    expect(await first.call("create_job", job as Record<string, unknown>)).toMatchObject({ ok: true });
    shared.alter("record", () => "5");
    const { text } = await timed("create_job", job);
    expect(text).toMatch(/^unknownOutcome: .*cannot be verified; this call sent nothing.*jobNumber=FW-/s);
    expect(fleet.writes()).toEqual(["POST 200"]);
  });

  it("is not taken for that of another call", async () => {
    const { shared, fleet, job, die, timed } = await leftBehind(UNCONFIRMED);
    const other = { ...job, jobTitle: "Another" };
    await die("create_job", job);
    let first = "";
    shared.endHolds();
    shared.alter("record", (value) => (first = value));
    await die("create_job", other);
    shared.endHolds();
    shared.alter("record", () => first);
    expect((await timed("create_job", other)).text).toMatch(/cannot be verified/);
    expect(fleet.writes()).toEqual([]);
  });

  it("is reported for an update, which can then be repeated", async () => {
    const { shared, fleet, die, timed } = await leftBehind(UNCONFIRMED);
    await die("update_group", GROUP);
    shared.endHolds();
    shared.alter("record", () => "[]");
    expect((await timed("update_group", GROUP)).text).toMatch(
      /cannot be verified; this call sent nothing.*Call again with the same arguments/s,
    );
    await expect.poll(async () => (await timed("update_group", GROUP)).ok).toBe(true);
    expect(fleet.writes()).toEqual(["PUT 200"]);
  });
});
