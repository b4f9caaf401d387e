import { describe, expect, test } from "vitest";
import { callSandbox } from "./sandbox-caller.ts";

const numbers = (jobs: { jobNumber: string }[]) => jobs.map(({ jobNumber }) => jobNumber);

async function withJobs(options: Parameters<typeof callSandbox>[0], notes: readonly string[]) {
  const call = callSandbox(options);
  const uploads: string[] = [];
  for (const [at, text] of notes.entries()) {
    const { body } = await call.createJob({ address: "Lyon", jobNumber: `B${at}`, notes: text, resources: [{ name: "a" }, { name: "b" }] });
    uploads.push(...body.job.resources.map(({ uploadUrl }: { uploadUrl: string }) => uploadUrl));
  }
  const put = async (url: string | undefined, body: string) =>
    (await call.sandbox.fetch(new Request(url ?? "", { method: "PUT", body }))).status;
  const get = async (url: string | undefined) => (await call.sandbox.fetch(new Request(url ?? ""))).status;
  return { call, uploads, put, get };
}

describe("chosen S13: storage is limited, and the oldest entries are dropped", () => {
  test("jobs by count, after which a dropped job's number is free again", async () => {
    const { call } = await withJobs({ maxJobs: 3 }, ["", "", "", "", ""]);
    const { total, jobs } = await call.listJobs();
    expect([total, ...numbers(jobs)]).toEqual([3, "B4", "B3", "B2"]);
    expect((await call.createJob({ address: "Lyon", jobNumber: "B2" })).body.errors).toMatchObject([{ field: "jobNumber" }]);
    expect((await call.createJob({ address: "Lyon", jobNumber: "B0" })).body.job).toBeDefined();
  });

  test("jobs by size, except for the latest, which always stays", async () => {
    const { call } = await withJobs({ maxStoredBytes: 10_000 }, ["n".repeat(6000), "n".repeat(6000), "n"]);
    expect(numbers((await call.listJobs()).jobs)).toEqual(["B2", "B1"]);
    await call.createJob({ address: "Lyon", jobNumber: "B3", notes: "n".repeat(20_000) });
    expect(numbers((await call.listJobs()).jobs)).toEqual(["B3"]);
  });

  test("an overwritten job counts once", async () => {
    const { call } = await withJobs({ maxStoredBytes: 10_000, duplicateJobs: "overwrite" }, ["n".repeat(4000)]);
    for (let times = 0; times < 9; times++) await call.createJob({ address: "Lyon", jobNumber: "B0", notes: "n".repeat(4000) });
    await call.createJob({ address: "Lyon", jobNumber: "B1" });
    expect(numbers((await call.listJobs()).jobs)).toEqual(["B1", "B0"]);
  });

  test("the oldest job stays if overwritten by a large one", async () => {
    const { call } = await withJobs({ maxStoredBytes: 10_000, duplicateJobs: "overwrite" }, ["n", "n"]);
    await call.createJob({ address: "Lyon", jobNumber: "B0", notes: "n".repeat(20_000) });
    expect(numbers((await call.listJobs()).jobs)).toEqual(["B0"]);
  });

  test("upload slots, three for each stored job", async () => {
    const { uploads, put, get } = await withJobs({ maxJobs: 1 }, ["", ""]);
    expect(await put(uploads[0], "late")).toBe(404);
    for (const url of uploads.slice(1)) expect([await put(url, "file"), await get(url)]).toEqual([204, 200]);
  });

  test("files by size", async () => {
    const { uploads, put, get } = await withJobs({ maxStoredBytes: 10_000 }, ["", ""]);
    for (const url of uploads.slice(0, 3)) expect(await put(url, "f".repeat(4000))).toBe(204);
    expect(await Promise.all(uploads.slice(0, 3).map(get))).toEqual([404, 200, 200]);
    expect(await put(uploads[0], "f".repeat(4000))).toBe(204);
    expect(await Promise.all(uploads.slice(0, 3).map(get))).toEqual([200, 404, 200]);
  });

  test("memory does not grow over 500 jobs beyond the limit", async () => {
    const call = callSandbox({ vehicles: 2, maxJobs: 50 });
    const headers = { ...(await call.connect()), ...call.json };
    for (let job = 0; job < 550; job++) await call.send("POST", call.urls.job, { headers, text: '{"address":"Lyon"}' });
    const { total, jobs } = await call.listJobs();
    expect([total, jobs[0].jobNumber, jobs.at(-1).jobNumber]).toEqual([50, "SBX-000550", "SBX-000501"]);
  });
});
