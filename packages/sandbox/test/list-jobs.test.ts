import { describe, expect, test } from "vitest";
import { callSandbox } from "./sandbox-caller.ts";

const somewhere = { address: "Quai Perrache 10, 69002 Lyon, France" };

describe("created jobs", () => {
  test("chosen S34: are listed newest first, in a shape labelled as the sandbox's own", async () => {
    const own = callSandbox();
    const jobs = [];
    for (const jobTitle of ["one", "two", "three"]) jobs.unshift((await own.createJob({ ...somewhere, jobTitle })).body.job);
    const list = await own.listJobs();
    expect(list).toMatchObject({ note: expect.stringContaining("sandbox's own"), total: 3, jobs });
    expect((await own.listJobs({ limit: "1", skip: "1" })).jobs).toEqual([jobs[1]]);
    expect((await own.listJobs({ jobNumber: jobs[2].jobNumber })).jobs).toEqual([jobs[2]]);
  });

  test("chosen S34: are listed with job types, and filtered by each parameter", async () => {
    const own = callSandbox();
    const assigned = (await own.createJob({ ...somewhere, vehicleName: "Truck 12", groupName: "Hamburg Depot" })).body.job;
    const { jobTypes } = await own.listJobs();
    expect(jobTypes.map(({ id }: { id: string }) => id)).toContain("jobtypedelivery");
    await own.createJob({ ...somewhere, groupName: "Fernhall Logistics" });
    const queries = ["jobNumber", "status", "vehicleId", "personId", "groupName"].map((field) => ({ [field]: assigned[field] }));
    for (const query of queries) expect([query, (await own.listJobs(query)).jobs]).toEqual([query, [assigned]]);
  });
});
