import { createFleetClient, FleetError, fleetConfigFromEnv } from "@fleetwire/core";
import { createSandbox, type SandboxOptions } from "@fleetwire/sandbox";
import { describe, expect, it } from "vitest";

type Numbers = "client's" | "caller's" | "service's";
type Variant = NonNullable<SandboxOptions["duplicateJobs"]>;

/** Creates a job with one fault per attempt, and returns the outcome and the service's jobs. */
async function struck(variant: Variant, numbers: Numbers, faults: readonly string[]) {
  const sandbox = createSandbox({ vehicles: 5, duplicateJobs: variant });
  const left = [...faults];
  let requests = 0;
  const config = fleetConfigFromEnv(sandbox.env);
  const fleet = createFleetClient({
    ...config,
    jobNumbers: numbers === "service's" ? "service" : "client",
    timeout: 400,
    random: () => 0,
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      if (String(input).includes("/job/create")) {
        requests += 1;
        const fault = left.shift();
        if (fault) headers.set("x-sandbox-fault", fault);
      }
      return sandbox.fetch(input, { ...init, headers });
    },
  });
  const input = { address: "Quai Perrache 10, Lyon", ...(numbers === "caller's" && { jobNumber: "MINE-7" }) };
  const outcome = await fleet.createJob(input).then(
    ({ job, inferred }) => ({ outcome: inferred ? "inferred" : "created", jobNumber: job?.jobNumber }),
    (error: unknown) => {
      if (!(error instanceof FleetError)) throw error;
      return { outcome: error.code, jobNumber: error.jobNumber };
    },
  );
  const audit = createFleetClient({ ...config, fetch: sandbox.fetch });
  const { jobs } = (await audit.listJobs()) as { jobs: { jobNumber: string }[] };
  return { ...outcome, requests, jobs: jobs.map(({ jobNumber }) => jobNumber) };
}

const variants: Variant[] = ["refuse", "conflict", "overwrite"];
/** Faults of the first attempts, by whether the first one did the work. */
const DONE = ["reset-after", "cut-body", "stalled-body"];
const NOT_DONE = ["reset-before", "500", "503=0"];
const UNREADABLE = ["truncated-json", "invalid-json"];
const REFUSED = ["429=0"];

describe.each(variants)("a service set to %s a second job with the same number", (variant) => {
  it.each(DONE)("infers from the next response that the job exists after a lost response (%s)", async (fault) => {
    const ours = await struck(variant, "client's", [fault]);
    expect(ours).toMatchObject({ outcome: variant === "overwrite" ? "created" : "inferred", requests: 2, jobs: [ours.jobNumber] });
    const theirs = await struck(variant, "caller's", [fault]);
    // A refusal may be about an older job of the caller.
    const outcome = variant === "overwrite" ? "created" : "unknownOutcome";
    expect(theirs).toEqual({ outcome, jobNumber: "MINE-7", requests: 2, jobs: ["MINE-7"] });
  });

  it.each(NOT_DONE)("creates the job with the next attempt if the first one failed (%s)", async (fault) => {
    for (const numbers of ["client's", "caller's"] as const) {
      const { outcome, jobNumber, requests, jobs } = await struck(variant, numbers, [fault]);
      expect([outcome, requests, jobs]).toEqual(["created", 2, [jobNumber]]);
    }
  });

  it.each([...DONE, ...NOT_DONE])("never gets a second request for a job that it numbers itself (%s)", async (fault) => {
    const { outcome, requests, jobs } = await struck(variant, "service's", [fault]);
    expect([outcome, requests, jobs.length]).toEqual(["unknownOutcome", 1, DONE.includes(fault) ? 1 : 0]);
  });

  it.each(UNREADABLE)("leaves the outcome unknown after an unreadable response (%s)", async (fault) => {
    const { outcome, jobNumber, requests, jobs } = await struck(variant, "client's", [fault]);
    expect([outcome, requests, jobs]).toEqual(["unknownOutcome", 1, [jobNumber]]);
  });

  it.each(REFUSED)("is retried after the delay that it requests (%s)", async (fault) => {
    const { outcome, jobNumber, requests, jobs } = await struck(variant, "client's", [fault, fault]);
    expect([outcome, requests, jobs]).toEqual(["created", 3, [jobNumber]]);
  });

  it.each([
    ["reset-after", "reset-after"],
    ["reset-after", "503=0"],
    ["cut-body", "429=0"],
    ["500", "stalled-body"],
    ["reset-before", "reset-after"],
  ])("has one job and a correct outcome after %s and %s", async (first, second) => {
    const { outcome, jobNumber, jobs } = await struck(variant, "client's", [first, second]);
    expect([outcome, jobs]).toEqual([variant === "overwrite" ? "created" : "inferred", [jobNumber]]);
  });

  it.each([
    { faults: ["reset-after", "reset-after", "reset-after"], exists: true },
    { faults: ["503=0", "reset-before", "500"], exists: false },
    { faults: ["reset-after", "429=0", "429=0"], exists: true },
    { faults: ["reset-after", "503=0", "redirect"], exists: true },
  ])("leaves the outcome unknown after $faults", async ({ faults, exists }) => {
    const { outcome, jobNumber, jobs } = await struck(variant, "client's", faults);
    expect([outcome, jobs]).toEqual(["unknownOutcome", exists ? [jobNumber] : []]);
  });
});
