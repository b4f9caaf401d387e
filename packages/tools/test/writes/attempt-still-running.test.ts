import { describe, expect, it } from "vitest";
import { fastClock } from "../../../core/test/fast-clock.ts";
import type { Script } from "../fleet-service.ts";
import { PLACE, servedWrites } from "./served-writes.ts";

const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

describe("a job whose number is taken while its first attempt may still run", () => {
  it.each<[string, number, boolean, Record<string, string>, RegExp]>([
    ["is created once the first is refused", 500, false, {}, /^Job created\.(?! Inferred)/],
    ["is unknown if the first runs longer", 6_000, false, {}, /^unknownOutcome: /],
    ["is inferred once it is listed", 500, true, {}, /^Job created\. Inferred: /],
    ["is unknown without a list", 500, true, { FLEET_API_HOST: "" }, /^unknownOutcome: /],
  ])("%s", async (_, runs, creates, env, text) => {
    fastClock(10);
    const held = new Set<unknown>();
    const created: unknown[] = [];
    let attempts = 0;
    const script: Script = {
      listJobs: () => ({ body: { total: created.length, jobs: created.map((jobNumber) => ({ jobNumber })) } }),
      createJob: async ({ body: { jobNumber } }) => {
        if (held.has(jobNumber)) return { body: { job: {}, errors: [{ field: "jobNumber", message: "already exists" }] } };
        held.add(jobNumber);
        if (++attempts === 1) {
          await delay(runs);
          if (!creates) held.delete(jobNumber);
          if (!creates) return { body: { errors: [{ field: "notes", message: "too long" }] } };
        }
        created.push(jobNumber);
        return { body: { job: { jobId: "j1", jobNumber } } };
      },
    };
    const { tools } = await servedWrites({
      script,
      env: { FLEET_CONFIRM: "never", ...env },
      config: { timeout: 200, retries: 1 },
      options: { callTimeout: 5_000, now: Date.now },
    });
    const result = await tools.call("create_job", PLACE);
    expect(result.text).toMatch(text);
    expect(result.text).toMatch(/(jobNumber: |Job number used: )FW-/);
    expect(created.length).toBeLessThanOrEqual(1);
    if (result.ok) expect(result.text).toContain(String(created[0]));
  });
});
