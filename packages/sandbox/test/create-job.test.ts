import { JobCreation, type LivePosition } from "@fleetwire/core";
import { describe, expect, test } from "vitest";
import { callSandbox, found } from "./sandbox-caller.ts";

const call = callSandbox();
const live: LivePosition[] = await call.live();
const named = (name: string) => found(live, ({ assetName }) => assetName === name);
const truck = named("Truck 12");
const other = named("Truck 11");
const pool = named("Van 15");
const trailer = named("Trailer 1");
const somewhere = { address: "Quai Perrache 10, 69002 Lyon, France" };

type Fields = Record<string, unknown>;

const completions: [string, string, Fields, Fields][] = [
  [
    "documented 2.5",
    "an address determines the coordinates",
    somewhere,
    { ...somewhere, lat: expect.closeTo(45.76, 0), lng: expect.closeTo(4.84, 0) },
  ],
  [
    "documented 2.5",
    "coordinates determine the address",
    { lat: 45.76, lng: 4.83 },
    { lat: 45.76, lng: 4.83, address: expect.stringMatching(/Lyon, France$/) },
  ],
  ["chosen S25", "an address overrides coordinates", { ...somewhere, lat: 1, lng: 1 }, { lat: expect.closeTo(45.76, 0) }],
  [
    "chosen S26",
    "an address without a known town is in the fleet's home town",
    { address: "Nowhere 7" },
    { lat: expect.any(Number), lng: expect.any(Number) },
  ],
  ["documented 2.5", "the default radius is 200 metres", somewhere, { jobRadius: 200 }],
  ["documented 2.5", "another radius is used", { ...somewhere, jobRadius: 50 }, { jobRadius: 50 }],
  ["documented 2.5", "the default group is the root group", somewhere, { groupName: "Fernhall Logistics" }],
  ["documented 2.5", "an existing group is used", { ...somewhere, groupName: "Hamburg Depot" }, { groupName: "Hamburg Depot" }],
  ["documented 2.5", "personId determines the name", { ...somewhere, personId: truck.driverId }, { personName: truck.driverName }],
  [
    "documented 2.5",
    "personId overrides personName",
    { ...somewhere, personId: truck.driverId, personName: "x" },
    { personName: truck.driverName },
  ],
  ["documented 2.5", "vehicleId determines the name", { ...somewhere, vehicleId: truck.assetId }, { vehicleName: "Truck 12" }],
  [
    "documented 2.5",
    "vehicleName determines the default driver",
    { ...somewhere, vehicleName: "Truck 12" },
    { personName: truck.driverName },
  ],
  [
    "documented 2.5",
    "vehicleName accepts its default driver",
    { ...somewhere, vehicleName: "Truck 12", personName: truck.driverName },
    { personName: truck.driverName, vehicleName: "Truck 12" },
  ],
  [
    "documented 2.5",
    "a vehicle without a default driver accepts any",
    { ...somewhere, vehicleName: "Van 15", personName: other.driverName },
    { personName: other.driverName, personId: other.driverId },
  ],
  ["documented 2.5", "a vehicle without a default driver sets none", { ...somewhere, vehicleName: "Van 15" }, { vehicleId: pool.assetId }],
  ["documented 2.5", "a trailer is accepted", { ...somewhere, vehicleName: "Trailer 1" }, { vehicleId: trailer.assetId }],
  [
    "documented 2.5",
    "a start in minutes",
    { ...somewhere, scheduledStartDateTime: "2026-11-21T08:30Z" },
    { scheduledStartDateTime: "2026-11-21T08:30Z" },
  ],
  [
    "documented 2.5",
    "a start as a date with the day first",
    { ...somewhere, scheduledStartDateTime: "2026-21-11" },
    { scheduledStartDateTime: "2026-21-11" },
  ],
  [
    "documented 2.5",
    "an arrival window",
    { ...somewhere, arrivalWindowStart: "2026-11-21T08:30Z", arrivalWindowEnd: "2026-11-21T10:30Z" },
    { arrivalWindowEnd: "2026-11-21T10:30Z" },
  ],
  [
    "documented 2.5",
    "an empty linkingId is generated",
    { ...somewhere, linkingId: "" },
    { linkingId: expect.stringMatching(/^[a-z0-9]+$/) },
  ],
  ["documented 2.5", "a linkingId is used", { ...somewhere, linkingId: "Tour7" }, { linkingId: "Tour7" }],
  [
    "documented 2.5",
    "an existing job type",
    { ...somewhere, jobTypeId: "jobtypedelivery" },
    { jobType: { id: "jobtypedelivery", label: "Delivery" } },
  ],
  ["chosen S30", "the status is NEW without an assignee", somewhere, { status: "NEW", statusLabel: "New" }],
  [
    "chosen S30",
    "the status is ASSIGNED with an assignee",
    { ...somewhere, vehicleName: "Truck 12" },
    { status: "ASSIGNED", primaryResource: "VEHICLE" },
  ],
  ["documented 2.5", "an allowed status is used", { ...somewhere, status: "IN_PROGRESS" }, { status: "IN_PROGRESS" }],
  [
    "documented 2.5",
    "the primary resource is used",
    { ...somewhere, vehicleName: "Truck 12", primaryResource: "DRIVER" },
    { primaryResource: "DRIVER" },
  ],
  [
    "documented 2.5",
    "lists and texts are used",
    { ...somewhere, orderNumbers: ["A1"], notes: "Ring twice" },
    { orderNumbers: ["A1"], notes: "Ring twice" },
  ],
  ["chosen S31", "the service sets its own identifiers", { ...somewhere, jobId: "mine" }, { jobId: expect.not.stringMatching(/^mine$/) }],
  ["chosen S31", "unknown fields are ignored", { ...somewhere, colour: "red" }, { jobId: expect.any(String) }],
];
test.each(completions)("%s: %s", async (_source, _name, request, job) => {
  const { status, body } = await call.createJob(request);
  expect(status).toBe(200);
  expect(body.errors).toBeUndefined();
  expect(body.job).toMatchObject(job);
  expect(JobCreation.parse(body)).toEqual(body);
});

const refusals: [string, string, Fields, string[]][] = [
  ["documented 2.5", "neither address nor coordinates", {}, ["address"]],
  ["documented 2.5", "lat alone", { lat: 45 }, ["lng"]],
  ["documented 2.5", "lng alone, with an address", { ...somewhere, lng: 4 }, ["lat"]],
  ["chosen S32", "coordinates off the globe", { lat: 91, lng: 0 }, ["lat"]],
  ["documented 2.5", "an unknown driver", { ...somewhere, personId: "nobody" }, ["personId"]],
  ["documented 2.5", "an unknown driver's name", { ...somewhere, personName: "Nobody" }, ["personName"]],
  ["documented 2.5", "an unknown vehicle", { ...somewhere, vehicleId: "nothing" }, ["vehicleId"]],
  ["documented 2.5", "an unknown vehicle's name", { ...somewhere, vehicleName: "Truck 999" }, ["vehicleName"]],
  [
    "documented 2.5",
    "a driver other than the default one",
    { ...somewhere, vehicleName: "Truck 12", personName: other.driverName },
    ["personName"],
  ],
  ["chosen S28", "another driver's id", { ...somewhere, vehicleId: truck.assetId, personId: other.driverId }, ["personId"]],
  ["chosen S32", "a sold vehicle", { ...somewhere, vehicleName: "Car 3" }, ["vehicleName"]],
  ["documented 2.5", "an unknown group", { ...somewhere, groupName: "No such group" }, ["groupName"]],
  ["documented 2.5", "an unknown job type", { ...somewhere, jobTypeId: "nothing" }, ["jobTypeId"]],
  ["chosen S47", "a disabled job type", { ...somewhere, jobTypeId: "jobtypesurvey" }, ["jobTypeId"]],
  ["chosen S32", "a negative radius", { ...somewhere, jobRadius: -1 }, ["jobRadius"]],
  ["chosen S10", "null instead of a text", { ...somewhere, notes: null }, ["notes"]],
  ["documented 2.5", "a status not allowed on creation", { ...somewhere, status: "MISSED" }, ["status"]],
  ["documented 2.5", "an unknown status", { ...somewhere, status: "DONE" }, ["status"]],
  ["documented 2.5", "linkingId with linkedJobIndex", { ...somewhere, linkingId: "a", linkedJobIndex: "1" }, ["linkedJobIndex"]],
  ["documented 2.5", "a linkingId with a dash", { ...somewhere, linkingId: "a-b" }, ["linkingId"]],
  ["documented part 8", "four files", { ...somewhere, resources: Array.from("abcd", (name) => ({ name })) }, ["resources"]],
  ["chosen S32", "a file without a name", { ...somewhere, resources: [{}] }, ["resources"]],
  ["documented 2.5", "a start with seconds", { ...somewhere, scheduledStartDateTime: "2026-11-21T08:30:00Z" }, ["scheduledStartDateTime"]],
  [
    "documented 2.5",
    "a start as a date with the month first",
    { ...somewhere, scheduledStartDateTime: "2026-11-21" },
    ["scheduledStartDateTime"],
  ],
  ["documented 2.5", "a window without a zone", { ...somewhere, arrivalWindowStart: "2026-11-21T08:30" }, ["arrivalWindowStart"]],
  [
    "chosen S32",
    "a window that ends before it starts",
    { ...somewhere, arrivalWindowStart: "2026-11-21T08:30Z", arrivalWindowEnd: "2026-11-21T08:00Z" },
    ["arrivalWindowEnd"],
  ],
  ["documented 2.5", "a number instead of a text", { ...somewhere, jobTitle: 7 }, ["jobTitle"]],
  ["documented 2.5", "a fractional radius", { ...somewhere, jobRadius: 1.5 }, ["jobRadius"]],
  ["chosen S7", "several errors at once", { lat: 1, groupName: "x", status: "x" }, ["groupName", "lng", "status"]],
];
test.each(refusals)("%s: %s is refused by field, with 200 and no job (chosen S24)", async (_source, _name, request, fields) => {
  const { status, body } = await call.createJob(request);
  expect({ status, job: body.job }).toEqual({ status: 200, job: undefined });
  expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(fields);
  for (const { message } of body.errors) expect(message).toMatch(/./);
});

describe("job numbers", () => {
  test("documented 2.5: are generated if absent, each unique", async () => {
    const numbers = await Promise.all(
      [somewhere, somewhere, { ...somewhere, jobNumber: "" }].map(async (job) => (await call.createJob(job)).body.job.jobNumber),
    );
    expect(new Set(numbers).size).toBe(3);
  });

  test("documented 2.5: are refused by field if taken", async () => {
    const job = { ...somewhere, jobNumber: "N1" };
    expect((await call.createJob(job)).body.job.jobNumber).toBe("N1");
    expect((await call.createJob(job)).body).toEqual({ errors: [{ field: "jobNumber", message: expect.any(String) }] });
  });

  test("chosen S33: can overwrite, which keeps the job's id", async () => {
    const overwriting = callSandbox({ duplicateJobs: "overwrite" });
    const first = (await overwriting.createJob({ ...somewhere, jobNumber: "N1" })).body.job;
    const second = (await overwriting.createJob({ address: "Paris", jobNumber: "N1" })).body.job;
    expect(second).toMatchObject({ jobId: first.jobId, address: "Paris" });
    expect((await overwriting.listJobs()).jobs).toEqual([second]);
  });

  test("chosen S33: can conflict", async () => {
    const conflicting = callSandbox({ duplicateJobs: "conflict" });
    const job = { ...somewhere, jobNumber: "N1" };
    await conflicting.createJob(job);
    expect(await conflicting.createJob(job)).toMatchObject({ status: 409, body: { offendingFields: ["jobNumber"] } });
  });
});

describe("a created job", () => {
  test("chosen S31: has a history and an ETA for its vehicle", async () => {
    const { job } = (await call.createJob({ ...somewhere, vehicleName: "Truck 12" })).body;
    expect(job.statusHistory).toMatchObject([{ name: "ASSIGNED", statusChangeId: job.statusChangeId, personId: truck.driverId }]);
    expect(job.jobHistory).toMatchObject([{ assignedPersonName: truck.driverName, assignedAssetName: "Truck 12" }]);
    expect(job.etaDistanceKms).toBeGreaterThan(0);
  });

  test.each(["VISITED", "CANCELLED"])("chosen S31: has no ETA if it is %s", async (status) => {
    const { job } = (await call.createJob({ ...somewhere, vehicleName: "Truck 12", status })).body;
    expect(job).not.toHaveProperty("eta");
  });

  test("chosen S29: has files that can be uploaded and downloaded", async () => {
    const { job } = (await call.createJob({ ...somewhere, resources: [{ name: "note.txt", fileType: "text/plain" }] })).body;
    const [{ uploadUrl, presignedGetUrl }] = job.resources;
    const upload = await call.sandbox.fetch(
      new Request(uploadUrl, { method: "PUT", body: "Ring twice", headers: { "Content-Type": "text/plain" } }),
    );
    expect(upload.status).toBe(204);
    expect(await (await call.sandbox.fetch(new Request(presignedGetUrl))).text()).toBe("Ring twice");
    expect((await call.sandbox.fetch(new Request(`${uploadUrl}x`, { method: "PUT", body: "?" }))).status).toBe(404);
  });

  test("chosen S27: override changes nothing, even for a taken number", async () => {
    await call.createJob({ ...somewhere, jobNumber: "O1" });
    for (const override of ["true", "false", "null"])
      expect((await call.createJob({ ...somewhere, jobNumber: "O1" }, { override })).body.errors).toMatchObject([{ field: "jobNumber" }]);
  });

  test.each(["true", "false", "null"])("documented 4.4: override may be %s", async (override) => {
    expect((await call.createJob(somewhere, { override })).status).toBe(200);
  });

  test("documented 4.4: override may not be anything else", async () => {
    expect(await call.createJob(somewhere, { override: "perhaps" })).toMatchObject({
      status: 400,
      body: { offendingFields: ["override"] },
    });
  });
});
