import { JobCreation, type LivePosition } from "@fleetwire/core";
import { describe, expect, test } from "vitest";
import { callSandbox, found } from "./sandbox-caller.ts";

const call = callSandbox();
const live: LivePosition[] = await call.live();
const named = (name: string) => found(live, ({ assetName }) => assetName === name);
const { driverId, driverName, assetId } = named("Truck 12");
const other = named("Truck 11");
const start = "2026-11-21T08:30Z";
const LYON = { address: "Quai Perrache 10, 69002 Lyon, France" };

type Fields = Record<string, unknown>;

test.each<[string, Fields, Fields, place?: Fields]>([
  ["an address determines the coordinates", LYON, { ...LYON, lat: expect.closeTo(45.76, 0), lng: expect.closeTo(4.84, 0) }],
  ["coordinates determine the address", { lat: 45.76, lng: 4.83 }, { lat: 45.76, lng: 4.83, address: expect.stringMatching(/Lyon/) }, {}],
  ["an address overrides coordinates", { lat: 1, lng: 1 }, { lat: expect.closeTo(45.76, 0) }],
  ["an address without a known town is at home", { address: "Nowhere 7" }, { lat: expect.any(Number), lng: expect.any(Number) }],
  ["the default radius is 200 metres", {}, { jobRadius: 200 }],
  ["the default group is the root group", {}, { groupName: "Fernhall Logistics" }],
  ["personId overrides personName", { personId: driverId, personName: "x" }, { personName: driverName }],
  ["vehicleId determines the name", { vehicleId: assetId }, { vehicleName: "Truck 12" }],
  ["vehicleName determines the default driver", { vehicleName: "Truck 12" }, { personName: driverName }],
  ["vehicleName accepts its default driver", { vehicleName: "Truck 12", personName: driverName }, { personId: driverId }],
  ["a pool vehicle accepts any", { vehicleName: "Van 15", personName: other.driverName }, { personId: other.driverId }],
  ["a pool vehicle sets none", { vehicleName: "Van 15" }, { vehicleId: named("Van 15").assetId, personId: undefined }],
  ["a trailer is accepted", { vehicleName: "Trailer 1" }, { vehicleId: named("Trailer 1").assetId }],
  ["an empty linkingId is generated", { linkingId: "" }, { linkingId: expect.stringMatching(/^[a-z0-9]+$/) }],
  ["an existing job type", { jobTypeId: "jobtypedelivery" }, { jobType: expect.objectContaining({ label: "Delivery" }) }],
  ["the status is NEW without an assignee", {}, { status: "NEW", statusLabel: "New" }],
  ["the status is ASSIGNED with one", { vehicleName: "Truck 12" }, { status: "ASSIGNED", primaryResource: "VEHICLE" }],
  ["the service sets its own identifiers", { jobId: "mine" }, { jobId: expect.not.stringMatching(/^mine$/) }],
  ["unknown fields are ignored", { colour: "red" }, { jobId: expect.any(String) }],
  ["an ETA for its vehicle", { vehicleName: "Truck 12" }, { eta: expect.any(String), etaDistanceKms: expect.any(Number) }],
  ["no ETA after the visit", { vehicleName: "Truck 12", status: "VISITED" }, { eta: undefined }],
  ["no ETA if cancelled", { vehicleName: "Truck 12", status: "CANCELLED" }, { eta: undefined }],
])("%s", async (_name, fields, job, place = LYON) => {
  const { status, body } = await call.createJob({ ...place, ...fields });
  expect([status, body.errors]).toEqual([200, undefined]);
  for (const [field, value] of Object.entries(job)) expect([field, body.job[field]]).toEqual([field, value]);
  expect(JobCreation.parse(body)).toEqual(body);
});

test.each<[string, Fields, string, place?: Fields]>([
  ["lng alone, with an address", { lng: 4 }, "lat"],
  ["coordinates off the globe", { lat: 91, lng: 0 }, "lat"],
  ["an unknown driver's name", { personName: "Nobody" }, "personName"],
  ["an unknown vehicle's name", { vehicleName: "Truck 999" }, "vehicleName"],
  ["another driver's id", { vehicleId: assetId, personId: other.driverId }, "personId"],
  ["a sold vehicle", { vehicleName: "Car 3" }, "vehicleName"],
  ["a disabled job type", { jobTypeId: "jobtypesurvey" }, "jobTypeId"],
  ["a negative radius", { jobRadius: -1 }, "jobRadius"],
  ["a fractional radius", { jobRadius: 1.5 }, "jobRadius"],
  ["null instead of a text", { notes: null }, "notes"],
  ["a number instead of a text", { jobTitle: 7 }, "jobTitle"],
  ["a status not allowed on creation", { status: "MISSED" }, "status"],
  ["an unknown status", { status: "DONE" }, "status"],
  ["a linkingId with a dash", { linkingId: "a-b" }, "linkingId"],
  ["a file without a name", { resources: [{}] }, "resources"],
  ["a start with seconds", { scheduledStartDateTime: "2026-11-21T08:30:00Z" }, "scheduledStartDateTime"],
  ["a date with the month first", { scheduledStartDateTime: "2026-11-21" }, "scheduledStartDateTime"],
  ["a window without a zone", { arrivalWindowStart: "2026-11-21T08:30" }, "arrivalWindowStart"],
  ["a window that ends before it starts", { arrivalWindowStart: start, arrivalWindowEnd: "2026-11-21T08:00Z" }, "arrivalWindowEnd"],
  ["several errors at once", { lat: 1, groupName: "x", status: "x" }, "groupName,lng,status"],
])("%s is refused by field, with 200 and no job", async (_name, fields, refused, place = LYON) => {
  const { status, body } = await call.createJob({ ...place, ...fields });
  expect([status, body.job]).toEqual([200, undefined]);
  expect(String(body.errors.map(({ field }: { field: string }) => field).sort())).toBe(refused);
  for (const { message } of body.errors) expect(message).toMatch(/./);
});

describe("job numbers", () => {
  const job = { ...LYON, jobNumber: "N1" };

  test("are generated if absent, each unique", async () => {
    const numbers: string[] = [];
    for (const given of [LYON, LYON, { ...LYON, jobNumber: "" }]) numbers.push((await call.createJob(given)).body.job.jobNumber);
    expect(new Set(numbers).size).toBe(3);
  });

  test("are refused by field if taken, whatever override says", async () => {
    expect((await call.createJob(job)).body.job.jobNumber).toBe("N1");
    for (const override of ["true", "false", "null"])
      expect((await call.createJob(job, { override })).body).toEqual({ errors: [{ field: "jobNumber", message: expect.any(String) }] });
    const refused = { status: 400, body: { offendingFields: ["override"] } };
    expect(await call.createJob(LYON, { override: "perhaps" })).toMatchObject(refused);
  });

  test("can overwrite, which keeps the job's id", async () => {
    const overwriting = callSandbox({ duplicateJobs: "overwrite" });
    const first = (await overwriting.createJob(job)).body.job;
    const second = (await overwriting.createJob({ address: "Paris", jobNumber: "N1" })).body.job;
    expect(second).toMatchObject({ jobId: first.jobId, address: "Paris" });
    expect((await overwriting.listJobs()).jobs).toEqual([second]);
  });

  test("can conflict", async () => {
    const conflicting = callSandbox({ duplicateJobs: "conflict" });
    await conflicting.createJob(job);
    expect(await conflicting.createJob(job)).toMatchObject({ status: 409, body: { offendingFields: ["jobNumber"] } });
  });
});

describe("a created job", () => {
  test("has a history", async () => {
    const { job } = (await call.createJob({ ...LYON, vehicleName: "Truck 12" })).body;
    expect(job.statusHistory).toMatchObject([{ name: "ASSIGNED", statusChangeId: job.statusChangeId, personId: driverId }]);
    expect(job.jobHistory).toMatchObject([{ assignedPersonName: driverName, assignedAssetName: "Truck 12" }]);
  });

  test("has files that can be uploaded and downloaded", async () => {
    const { job } = (await call.createJob({ ...LYON, resources: [{ name: "note.txt", fileType: "text/plain" }] })).body;
    const [{ uploadUrl, presignedGetUrl }] = job.resources;
    const put = async (url: string) => (await call.sandbox.fetch(new Request(url, { method: "PUT", body: "Ring twice" }))).status;
    expect([await put(uploadUrl), await put(`${uploadUrl}x`)]).toEqual([204, 404]);
    expect(await (await call.sandbox.fetch(new Request(presignedGetUrl))).text()).toBe("Ring twice");
  });

  test("is listed newest first, with job types, in a shape labelled as the sandbox's own", async () => {
    const own = callSandbox();
    const jobs = [];
    for (const jobTitle of ["one", "two", "three"]) jobs.unshift((await own.createJob({ ...LYON, jobTitle })).body.job);
    const list = await own.listJobs();
    expect(list).toMatchObject({ note: expect.stringContaining("sandbox's own"), total: 3, jobs });
    expect(list.jobTypes.map(({ id }: { id: string }) => id)).toContain("jobtypedelivery");
    expect((await own.listJobs({ limit: "1", skip: "1" })).jobs).toEqual([jobs[1]]);
    const assigned = (await own.createJob({ ...LYON, vehicleName: "Truck 12", groupName: "Hamburg Depot" })).body.job;
    for (const field of ["jobNumber", "status", "vehicleId", "personId", "groupName"])
      expect([field, (await own.listJobs({ [field]: assigned[field] })).jobs]).toEqual([field, [assigned]]);
  });
});

describe("storage is limited, and the oldest entries are dropped", () => {
  const numbersOf = ({ jobs }: { jobs: { jobNumber: string }[] }) => jobs.map(({ jobNumber }) => jobNumber).join();

  async function withJobs(options: Parameters<typeof callSandbox>[0], ...sizes: number[]) {
    const own = callSandbox({ vehicles: 3, ...options });
    const uploads: string[] = [];
    const create = async (jobNumber: string, size: number) => {
      const { body } = await own.createJob({ ...LYON, jobNumber, notes: "n".repeat(size), resources: [{ name: "a" }, { name: "b" }] });
      for (const { uploadUrl } of body.job?.resources ?? []) uploads.push(uploadUrl);
      return body;
    };
    for (const [at, size] of sizes.entries()) await create(`B${at}`, size);
    const put = async (at: number) =>
      (await own.sandbox.fetch(new Request(uploads[at] ?? "", { method: "PUT", body: "f".repeat(4000) }))).status;
    const gets = () => Promise.all(uploads.slice(0, 3).map(async (url) => (await own.sandbox.fetch(new Request(url))).status));
    return { own, create, put, gets };
  }

  test("jobs by count, after which a dropped job's number is free again", async () => {
    const { own, create } = await withJobs({ maxJobs: 3 }, 0, 0, 0, 0, 0);
    const list = await own.listJobs();
    expect([list.total, numbersOf(list)]).toEqual([3, "B4,B3,B2"]);
    expect((await create("B2", 0)).errors).toMatchObject([{ field: "jobNumber" }]);
    expect((await create("B0", 0)).job).toBeDefined();
  });

  test("jobs by size, except for the latest, which always stays", async () => {
    const { own, create } = await withJobs({ maxStoredBytes: 10_000 }, 6000, 6000, 1);
    expect(numbersOf(await own.listJobs())).toBe("B2,B1");
    await create("B3", 20_000);
    expect(numbersOf(await own.listJobs())).toBe("B3");
  });

  test("an overwritten job counts once, and stays if it is large", async () => {
    const { own, create } = await withJobs({ maxStoredBytes: 10_000, duplicateJobs: "overwrite" }, 4000);
    for (let times = 0; times < 9; times++) await create("B0", 4000);
    await create("B1", 0);
    expect(numbersOf(await own.listJobs())).toBe("B1,B0");
    await create("B0", 20_000);
    expect(numbersOf(await own.listJobs())).toBe("B0");
  });

  test("upload slots, three for each stored job", async () => {
    const { put } = await withJobs({ maxJobs: 1 }, 0, 0);
    expect([await put(0), await put(1), await put(3)]).toEqual([404, 204, 204]);
  });

  test("files by size", async () => {
    const { put, gets } = await withJobs({ maxStoredBytes: 10_000 }, 0, 0);
    for (const at of [0, 1, 2]) expect(await put(at)).toBe(204);
    expect(await gets()).toEqual([404, 200, 200]);
    expect([await put(0), ...(await gets())]).toEqual([204, 200, 404, 200]);
  });
});
