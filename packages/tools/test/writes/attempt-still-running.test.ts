import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createFleetTools } from "../../src/index.ts";
import { type Asked, cannedService, toolsOver } from "../canned-service.ts";

const PLACE = { lat: 45.5, lng: 4.5 };
const TAKEN = { job: {}, errors: [{ field: "jobNumber", message: "already exists" }] };

/** A service that runs the first attempt for a while, rejects its number meanwhile, and then refuses or creates the job. */
function reserving(runs: number, creates: boolean) {
  const held = new Set<unknown>();
  const jobs: unknown[] = [];
  let attempts = 0;
  const respond = async ({ operation, fields: { jobNumber } }: Asked): Promise<unknown> => {
    if (operation === "listJobs") return { total: jobs.length, jobs: jobs.map((number) => ({ jobNumber: number })) };
    if (operation !== "createJob") return [];
    if (held.has(jobNumber)) return TAKEN;
    held.add(jobNumber);
    attempts += 1;
    if (attempts === 1) {
      await delay(runs);
      if (!creates) {
        held.delete(jobNumber);
        return { errors: [{ field: "notes", message: "too long" }] };
      }
    }
    jobs.push(jobNumber);
    return { job: { jobId: "j1", jobNumber } };
  };
  return { respond, jobs };
}

describe("a job whose number is taken while its first attempt may still run", () => {
  it.each<[what: string, runs: number, creates: boolean, env: Record<string, string>, text: RegExp]>([
    ["is created once the first is refused", 500, false, {}, /^Job created\.(?! Inferred)/],
    ["is unknown if the first runs longer", 2_500, false, {}, /^unknownOutcome: /],
    ["is inferred once it is listed", 500, true, {}, /^Job created\. Inferred: /],
    ["is unknown without a list", 500, true, { FLEET_API_HOST: "" }, /^unknownOutcome: /],
  ])("%s", async (_, runs, creates, env, text) => {
    const { respond, jobs } = reserving(runs, creates);
    const { config } = toolsOver(await cannedService(respond), { FLEET_CONFIRM: "never", ...env });
    const tools = createFleetTools({ ...config, timeout: 200, retries: 1 }, { callTimeout: 2_000 });
    const result = await tools.call("create_job", PLACE);
    expect(result.text).toMatch(text);
    expect(result.text).toMatch(/(jobNumber: |Job number used: )FW-/);
    expect(jobs.length).toBeLessThanOrEqual(1);
    if (result.ok) expect(result.text).toContain(String(jobs[0]));
  });
});
