import { describe, expect, it } from "vitest";
import { createFleetClient, type FleetClientOptions, type FleetError } from "../src/index.ts";
import { fastClock } from "./fast-clock.ts";
import { recordingServer } from "./recording-server.ts";

const delay = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** A test that waits for 1.5 s takes 0.3 s. */
const FASTER = 5;

interface Service {
  /** How long the first attempt runs, in milliseconds. */
  runs: number;
  /** Whether the first attempt creates the job in the end. */
  creates: boolean | "at once";
  /** How the first attempt's connection ends; open until the client closes it if absent. */
  gateway?: number;
  /** The list of jobs as the service returns it; there is none if absent. */
  list?: (jobs: readonly string[], query: string | null) => unknown;
  options?: Partial<FleetClientOptions>;
}

/** A service that holds a number from the arrival of its job, and rejects it for others until the job is refused. */
async function reservingService({ runs, creates, gateway, list, options }: Service) {
  fastClock(FASTER);
  const held = new Set<string>();
  const jobs: string[] = [];
  const requests: string[] = [];
  const { origin } = await recordingServer(async (response, { url, body }) => {
    const { pathname, searchParams } = new URL(url, "http://x");
    const reply = (status: number, result: unknown) => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify(result));
    };
    if (pathname.endsWith("/live")) return void requests.push("live");
    if (pathname.endsWith("/jobs")) {
      requests.push("list");
      return list ? reply(200, await list(jobs, searchParams.get("jobNumber"))) : reply(404, {});
    }
    requests.push("create");
    const { jobNumber } = JSON.parse(body);
    if (held.has(jobNumber)) return reply(409, { errorMessage: "exists", offendingFields: ["jobNumber"] });
    held.add(jobNumber);
    if (requests.length === 1) {
      if (gateway !== undefined) reply(gateway, {});
      if (creates === "at once") jobs.push(jobNumber);
      await delay(runs);
      if (!creates) return void held.delete(jobNumber);
    }
    if (!jobs.includes(jobNumber)) jobs.push(jobNumber);
    if (!response.writableEnded) reply(200, { job: { jobId: "j1", jobNumber } });
  });
  const fleet = createFleetClient({
    customerId: "c42",
    credentials: { clientId: "id", clientSecret: "canary-secret" },
    servers: { base: origin, job: origin, ...(list && { apiHost: origin }) },
    authSchemes: { createJob: "basic", listJobs: "basic" },
    timeout: 150,
    totalTimeout: 1_500,
    random: () => 0,
    ...options,
  });
  return { fleet, jobs, requests };
}

const listed = (jobs: readonly string[]) => ({ jobs: jobs.map((jobNumber) => ({ jobNumber })) });

describe("a number that is taken while the first attempt may still run", () => {
  const hangs = () => new Promise(() => {});
  const repeats = (_: unknown, jobNumber: unknown) => ({ query: { jobNumber }, jobs: [] });
  it.each<[what: string, Service, outcome: string, requests: string]>([
    ["refused during the wait", { runs: 400, creates: false }, "created", "create create create"],
    ["created after the wait", { runs: 1_200, creates: true }, "unknownOutcome", "create create create"],
    ["created at once", { runs: 400, creates: "at once", list: listed }, "inferred", "create create list"],
    ["created during the wait", { runs: 400, creates: true, list: listed }, "inferred", "create create list create list"],
    ["refused later, with a list", { runs: 1_200, creates: false, list: listed }, "unknownOutcome", "create create list create list"],
    ["refused later, the list echoes", { runs: 1_200, creates: false, list: repeats }, "unknownOutcome", "create create list create list"],
    ["refused during the wait, the list hangs", { runs: 400, creates: false, list: hangs }, "created", "create create list create"],
    ["behind a gateway that gave up", { runs: 1_200, creates: false, gateway: 504 }, "unknownOutcome", "create create create"],
  ])("%s", async (_, service, outcome, expected) => {
    const { fleet, jobs, requests } = await reservingService(service);
    const result = await fleet.createJob({ address: "Lyon" }).then(
      ({ job, inferred }) => ({ outcome: inferred ? "inferred" : "created", jobNumber: job?.jobNumber }),
      (error: FleetError) => ({ outcome: error.code, jobNumber: error.jobNumber }),
    );
    expect(result).toEqual({ outcome, jobNumber: expect.stringMatching(/^FW-/) });
    expect(requests.join(" ")).toBe(expected);
    if (outcome === "created") expect(jobs).toEqual([result.jobNumber]);
  });

  it("ends in time if a read takes the only slot meanwhile", async () => {
    let read: Promise<unknown> | undefined;
    const { fleet, requests } = await reservingService({
      runs: 5_000,
      creates: true,
      list: listed,
      options: {
        maxConcurrency: 1,
        onResponse: ({ operation, attempt }) => {
          if (operation === "createJob" && attempt === 2) read = fleet.listLivePositions({}, { timeout: 3_000, retries: 0 });
        },
      },
    });
    const startedAt = performance.now();
    await expect(fleet.createJob({ address: "Lyon" })).rejects.toMatchObject({
      code: "unknownOutcome",
      jobNumber: expect.stringMatching(/^FW-/),
    });
    expect(performance.now() - startedAt).toBeLessThan(2_500);
    expect(requests).toEqual(["create", "create", "list", "live"]);
    await expect(read).rejects.toMatchObject({ code: "timeout" });
  });

  it("of an earlier process: looked up, then waited for, then inferred", async () => {
    const write = { maybeSent: true, generatedKey: true };
    for (const [list, attempts] of [
      [listed, ["list"]],
      [undefined, ["create"]],
    ] as const) {
      const { fleet, jobs, requests } = await reservingService({ runs: 0, creates: true, ...(list && { list }) });
      await fleet.createJob({ address: "Lyon", jobNumber: "FW-1" });
      const again = await fleet.createJob({ address: "Lyon", jobNumber: "FW-1" }, { write, totalTimeout: 300 });
      expect(again).toEqual({ job: { jobNumber: "FW-1" }, inferred: true });
      expect(jobs).toEqual(["FW-1"]);
      expect(requests).toEqual(["create", "create", ...attempts]);
    }
  });

  it("of an earlier process that is refused during the wait: created", async () => {
    const { fleet, jobs } = await reservingService({ runs: 200, creates: false });
    const job = { address: "Lyon", jobNumber: "FW-1" };
    const first = fleet.createJob(job, { retries: 0 }).catch((error: FleetError) => error.code);
    await delay(20);
    const again = await fleet.createJob(job, { write: { maybeSent: true, generatedKey: true } });
    expect([await first, again]).toEqual(["unknownOutcome", { job: { jobId: "j1", jobNumber: "FW-1" } }]);
    expect(jobs).toEqual(["FW-1"]);
  });
});
