import { createFleetClient, FleetError, fleetConfigFromEnv } from "@fleetwire/core";
import { createSandbox, type SandboxOptions } from "@fleetwire/sandbox";
import { describe, expect, it } from "vitest";

type Numbers = "client's" | "caller's" | "service's";
type Variant = NonNullable<SandboxOptions["duplicateJobs"]>;

/** A fleet whose first creations meet faults, one each, and what its service has in the end. */
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
/** Faults of the first attempts, and whether the first of them did the work. */
const DONE = ["reset-after", "cut-body", "stalled-body"];
const NOT_DONE = ["reset-before", "500", "503=0"];
const UNREADABLE = ["truncated-json", "invalid-json"];
const REFUSED = ["429=0"];

describe.each(variants)("a service that has to %s a second job of the same number", (variant) => {
  it.each(DONE)("tells by the next answer that a job is there whose answer was lost (%s)", async (fault) => {
    const ours = await struck(variant, "client's", [fault]);
    expect(ours).toMatchObject({ outcome: variant === "overwrite" ? "created" : "inferred", requests: 2, jobs: [ours.jobNumber] });
    const theirs = await struck(variant, "caller's", [fault]);
    // A refusal may be about an older job of the caller's.
    const outcome = variant === "overwrite" ? "created" : "unknownOutcome";
    expect(theirs).toEqual({ outcome, jobNumber: "MINE-7", requests: 2, jobs: ["MINE-7"] });
  });

  it.each(NOT_DONE)("creates it with the next attempt where the first one came to nothing (%s)", async (fault) => {
    for (const numbers of ["client's", "caller's"] as const) {
      const { outcome, jobNumber, requests, jobs } = await struck(variant, numbers, [fault]);
      expect([outcome, requests, jobs]).toEqual(["created", 2, [jobNumber]]);
    }
  });

  it.each([...DONE, ...NOT_DONE])("is never asked twice for a job that it numbers itself (%s)", async (fault) => {
    const { outcome, requests, jobs } = await struck(variant, "service's", [fault]);
    expect([outcome, requests, jobs.length]).toEqual(["unknownOutcome", 1, DONE.includes(fault) ? 1 : 0]);
  });

  it.each(UNREADABLE)("leaves the outcome unknown by an answer that cannot be read (%s)", async (fault) => {
    const { outcome, jobNumber, requests, jobs } = await struck(variant, "client's", [fault]);
    expect([outcome, requests, jobs]).toEqual(["unknownOutcome", 1, [jobNumber]]);
  });

  it.each(REFUSED)("is waited for where it asks for that (%s)", async (fault) => {
    const { outcome, jobNumber, requests, jobs } = await struck(variant, "client's", [fault, fault]);
    expect([outcome, requests, jobs]).toEqual(["created", 3, [jobNumber]]);
  });

  it.each([
    ["reset-after", "reset-after"],
    ["reset-after", "503=0"],
    ["cut-body", "429=0"],
    ["500", "stalled-body"],
    ["reset-before", "reset-after"],
  ])("leaves one job and a true outcome after %s and %s", async (first, second) => {
    const { outcome, jobNumber, jobs } = await struck(variant, "client's", [first, second]);
    expect([outcome, jobs]).toEqual([variant === "overwrite" ? "created" : "inferred", [jobNumber]]);
  });

  it.each([
    { faults: ["reset-after", "reset-after", "reset-after"], there: true },
    { faults: ["503=0", "reset-before", "500"], there: false },
    { faults: ["reset-after", "429=0", "429=0"], there: true },
    { faults: ["reset-after", "503=0", "redirect"], there: true },
  ])("leaves the outcome unknown after $faults", async ({ faults, there }) => {
    const { outcome, jobNumber, jobs } = await struck(variant, "client's", faults);
    expect([outcome, jobs]).toEqual(["unknownOutcome", there ? [jobNumber] : []]);
  });
});
