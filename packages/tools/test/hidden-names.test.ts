import { expect, it } from "vitest";
import { cannedFleet } from "./canned-fleet.ts";
import { servedFleet } from "./served-fleet.ts";

const hide = { FLEET_DRIVER_NAMES: "hide" };
const ALIAS = /^Driver [0-9a-f]{10}$/;
const canned = { listLivePositions: () => ({ body: cannedFleet() }) };

const vehicle = (at: number, assetName: string, driverName: string) => ({ assetId: `v${at}`, assetName, driverId: `p${at}`, driverName });
const FLEET = [vehicle(1, "Truck 12", "Petra Privat"), vehicle(2, "Van 7", "Carla Conti")];

type Fields = Record<string, unknown>;

/** Tools that hide names, with the pseudonyms of Petra Privat and Carla Conti. */
async function hidden(createJob: (fields: Fields) => unknown, env: Record<string, string> = {}, body = FLEET) {
  const script = { listLivePositions: () => ({ body }), createJob: (job: { body: Fields }) => ({ body: createJob(job.body) }) };
  const served = await servedFleet({ script, env: { ...hide, ...env } });
  const pseudonymOf = async (query: string): Promise<string> => (await served.record("locate_vehicle", { query })).vehicle.driverName;
  const pseudonyms = [await pseudonymOf("v1"), await pseudonymOf("v2")] as const;
  return { ...served, pseudonyms, sent: () => served.service.of("createJob").at(-1)?.body };
}

const PREVIEW = { FLEET_CONFIRM: "auto" };
const JOB = { address: "Lyon", contactName: "Petra Privat", notes: "Carla Conti" };

it.each([{}, { dryRun: true }])("a preview with %j shows a caller's own text exactly as it is sent", async (more) => {
  const { text, pseudonyms } = await hidden(() => ({ job: {} }), PREVIEW);
  const preview = await text("create_job", { ...JOB, ...more });
  expect(preview).toContain("contactName: Petra Privat\nnotes: Carla Conti");
  for (const pseudonym of pseudonyms) expect(preview).not.toContain(pseudonym);
});

it("a created job repeats what was sent, and hides the names that the service adds", async () => {
  const { record, sent, pseudonyms } = await hidden((fields) => ({ job: { jobId: "j1", ...fields, personName: "Petra Privat" } }));
  expect(await record("create_job", JOB)).toMatchObject({ job: { ...JOB, personName: pseudonyms[0] } });
  expect(sent()).toMatchObject(JOB);
});

it("a driver is sent by id, as the preview shows", async () => {
  const { text, record, sent, pseudonyms } = await hidden((fields) => ({ job: { jobId: "j1", ...fields } }), PREVIEW);
  const job = { address: "Lyon", personName: pseudonyms[1] };
  expect(await text("create_job", job)).toContain("personId: p2");
  const { confirmation } = await record("create_job", job);
  await text("create_job", { ...job, confirmation });
  expect(sent()).toMatchObject({ personId: "p2" });
  expect(sent()).not.toHaveProperty("personName");
});

it.each<[string, Fields, string]>([
  ["a field", { ...JOB, "Petra Privat": 1, "Carla Conti": 2 }, "Petra Privat: is not a field of create_job; Carla Conti: is"],
  ["a name", { address: "Lyon", vehicleName: "Petra Privat" }, 'No vehicle matches "Petra Privat"'],
])("an error does not translate %s", async (_, args, words) => {
  const { call, pseudonyms } = await hidden(() => undefined);
  const { text } = await call("create_job", args);
  expect(text).toContain(words);
  for (const pseudonym of pseudonyms) expect(text).not.toContain(pseudonym);
});

it("what the service says about a job shows a pseudonym only for a name that the caller did not write", async () => {
  const errors = [{ field: "vehicleName", message: "Petra Privat is its driver, not Carla Conti" }];
  const { failure, pseudonyms } = await hidden(() => ({ errors }));
  const [petra, carla] = pseudonyms;
  const text = await failure("create_job", { address: "Lyon", vehicleName: "Truck 12", groupName: "CARLA  conti" });
  expect(text).toContain(`${petra} is its driver, not [a driver's name]`);
  expect(text).not.toContain(carla);
});

it.each([
  ["Łukasz Żółć is off duty", "P is off duty"],
  [`${"łukasz żółć".normalize("NFD")}\u00a0is off duty`, "P is off duty"],
  ["Łukasz\u00a0Żółć Junior, not Łukasz Żółć", "Q, not P"],
  ["Nothing will be sent", "Nothing will be sent"],
])("the service's text %j says %j", async (message, shown) => {
  const fleet = ["Łukasz Żółć", "Łukasz Żółć Junior", "Will"].map((name, at) => vehicle(at + 1, `Truck ${at}`, name));
  const { failure, pseudonyms } = await hidden(() => ({ errors: [{ field: "address", message }] }), {}, fleet);
  const [p, q] = pseudonyms;
  expect(await failure("create_job", { address: "Lyon" })).toContain(shown.replace("P", p).replace("Q", q));
});

const KEYS = ["BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=", "YSBmaXhlZCBrZXkgb2YgZm9ydHktdHdvIGJ5dGVzLCBubyBzZWNyZXQhIQ=="];

/** Created with node:crypto: a driver keeps the pseudonym as long as the key stays the same. */
it.each([
  ["Anna Kowalska", "Driver db37e4c37b", "Driver 02647cd6f6"],
  ["Łukasz Żółć", "Driver f2b684425e", "Driver 14f0ae1e91"],
  ["\u{1F69A} driver", "Driver 89efdc0b5e", "Driver 33628684b0"],
  // Two drivers whose pseudonyms would be the same.
  ["Anna 719087", "Driver dccd54a814", "Driver 5e0708e0f0"],
])("the pseudonym of %j depends on the key only", async (name, ...expected) => {
  const fleet = [vehicle(1, "Truck 1", name), vehicle(2, "Truck 2", "Anna 1439029")];
  for (const [at, key] of KEYS.entries()) {
    const { pseudonyms } = await hidden(() => undefined, { FLEET_SEAL_KEY: key }, fleet);
    expect(pseudonyms[0]).toBe(expected[at]);
    if (at === 0) expect(pseudonyms[1]).toMatch(name.startsWith("Anna 7") ? /^Driver dccd54a814[0-9a-f]{2}$/ : /^Driver dccd54a814$/);
  }
});

it("without a key, a pseudonym lasts as long as the process", async () => {
  const fleet = () => hidden(() => undefined);
  const [one, other] = [await fleet(), await fleet()];
  expect(one.pseudonyms[0]).not.toBe(other.pseudonyms[0]);
  expect((await one.record("locate_vehicle", { query: "v1" })).vehicle.driverName).toBe(one.pseudonyms[0]);
});

it("one pseudonym is used everywhere, by which a vehicle is found, but not by the real name", async () => {
  const { record, call } = await servedFleet({ env: hide, script: canned });
  const { driverName } = (await record("locate_vehicle", { query: "truck 12" })).vehicle;
  expect(driverName).toMatch(ALIAS);
  const { items } = await record("list_live_positions", { limit: 500, fields: ["assetName", "driverName"] });
  expect(items).toContainEqual({ assetName: "Truck 12", driverName });
  expect(JSON.stringify(items)).not.toMatch(/Carla|Conti|Keller/);
  const found = { result: "found", matchedBy: "driver", vehicle: { assetName: "Truck 12" } };
  expect(await record("locate_vehicle", { query: driverName })).toMatchObject(found);
  for (const query of ["Carla Conti", "Conti", "driver conti"]) {
    const { structured } = await call("locate_vehicle", { query });
    expect(structured).toMatchObject({ result: "notFound" });
    expect(JSON.stringify(structured).replaceAll(query, "")).not.toMatch(/Carla|Conti\b/);
  }
});

it("hides names in jobs, including their histories, but not customers' names", async () => {
  const own = { contactName: "Client Contact", clientName: "Client Ltd", personName: "Carla Conti" };
  const histories = { statusHistory: [{ personId: "p1", name: "Carla Conti" }], jobHistory: [{ assignedPersonName: "Carla Conti" }] };
  const job = { jobNumber: "J1", ...own, ...histories, jobType: { id: "t1", resources: [{ name: "plan.pdf" }] } };
  const body = { jobs: [job], by: { driverName: "Carla Conti" } };
  const { record } = await servedFleet({ env: hide, script: { createJob: () => ({ body: { job } }), listJobs: () => ({ body }) } });
  for (const [tool, args] of [
    ["create_job", { address: "Quai Perrache 10, Lyon", personId: "p1" }],
    ["list_jobs", { fields: Object.keys(job) }],
  ] as const) {
    const shown = JSON.stringify(await record(tool, args));
    expect(shown).not.toMatch(/Carla|Conti\b/);
    expect(shown).toMatch(/Client Contact.*Client Ltd.*plan\.pdf/);
    expect(shown.match(/Driver [0-9a-f]{10}/g)?.length).toBeGreaterThanOrEqual(3);
  }
});

const BESIDE_ID = { driverId: "p1", name: "Unknown Newcomer" };

it("hides fields known to hold drivers' names even if the fleet cannot be read", async () => {
  const script = { listLivePositions: () => ({ status: 500 }), listTireEvents: () => ({ body: [BESIDE_ID] }) };
  const { record } = await servedFleet({ env: hide, script });
  expect((await record("list_tire_events")).items[0].name).toMatch(ALIAS);
});
