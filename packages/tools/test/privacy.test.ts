import { describe, expect, it } from "vitest";
import { cannedFleet, type Position } from "./canned-fleet.ts";
import { servedFleet } from "./served-fleet.ts";

const PRIVATE: Position = {
  assetId: "v77",
  assetName: "Van 77",
  assetRegistration: "PR11 VAT",
  date: "2026-11-20T08:30:00Z",
  eventType: "driving",
  privacy: true,
  driverName: "Petra Privat",
};

/** Every field that would reveal where the journey leads. */
const WHEREABOUTS: Position = {
  latitude: 48.13743,
  longitude: 11.57549,
  road: "Marienplatz",
  roadNumber: "8b",
  city: "Munich",
  postCode: "80331",
  country: "Germany",
  division: "Bavaria",
  formattedAddress: "Marienplatz 8b, 80331 Munich, Germany",
  locationName: "Holiday home",
  locationGroupName: "Homes",
  locationId: "loc4711",
  heading: 133,
  speed: 87.3,
};

const fleet = [...cannedFleet(), { ...PRIVATE, ...WHEREABOUTS }];
const wordsOf = (result: unknown) => JSON.stringify(result).match(/[\p{L}\p{N}.]+/gu) ?? [];
const secrets = Object.values(WHEREABOUTS).flatMap((value) => wordsOf(String(value)));

const serve = (env: Record<string, string> = {}, positions: readonly object[] = fleet) =>
  servedFleet({ script: { listLivePositions: () => ({ body: positions }) }, env: { FLEET_MAX_RESULT_TOKENS: "50000", ...env } });

describe("a private journey", () => {
  it("is found by locate_vehicle, with its whereabouts withheld", async () => {
    const { call, record } = await serve();
    const result = await call("locate_vehicle", { query: "van 77" });
    expect(result.text).toBe(
      "Van 77 (PR11 VAT): driving. 2026-11-20 08:30 in UTC, 4 min ago. Driver: Petra Privat. Id: v77. On a private journey: whereabouts withheld.",
    );
    expect((await record("locate_vehicle", { query: "van 77" })).vehicle).toEqual({ ...PRIVATE, age: "4 min ago" });
    for (const word of secrets) expect(wordsOf(result)).not.toContain(word);
  });

  it("has its whereabouts withheld by list_live_positions, whatever fields are requested", async () => {
    const { record } = await serve();
    const args = { fields: ["assetName", "privacy", ...Object.keys(WHEREABOUTS)], limit: 500 };
    const { items, note } = await record("list_live_positions", args);
    const named = (name: string) => items.find(({ assetName }: Position) => assetName === name);
    expect(named("Van 77")).toEqual({ assetName: "Van 77", privacy: true });
    expect(named("Van 12")).toMatchObject({ city: expect.any(String), speed: expect.any(Number) });
    expect(note).toContain("Whereabouts on private journeys are withheld");
  });

  it.each(["true", 1, {}])("counts as private if its flag is %j, which is invalid", async (privacy) => {
    const { call } = await serve({}, [{ ...PRIVATE, ...WHEREABOUTS, privacy }]);
    const result = await call("locate_vehicle", { query: "van 77" });
    expect(result.structured).toMatchObject({ vehicle: { assetName: "Van 77", privacy: true } });
    for (const word of secrets) expect(wordsOf(result)).not.toContain(word);
  });

  it("cannot be found by searching for its place", async () => {
    const { question } = await serve();
    for (const query of ["Marienplatz", "Munich", "Holiday home", "loc4711"])
      expect(await question("locate_vehicle", { query })).toMatch(/^No vehicle/);
  });

  it("is shown if FLEET_PRIVACY is off, and speeds of speed-sensitive groups are then requested", async () => {
    const { text, record, service } = await serve({ FLEET_PRIVACY: "off" });
    expect(await text("locate_vehicle", { query: "van 77" })).toMatch(
      /87 km\/h, heading SE, at Holiday home, Marienplatz 8b, 80331 Munich/,
    );
    const { items, note } = await record("list_live_positions", { fields: ["assetName", ...Object.keys(WHEREABOUTS)], limit: 500 });
    expect(items).toContainEqual({ assetName: "Van 77", ...WHEREABOUTS, direction: "SE" });
    expect(note).not.toContain("withheld");
    const requested = (requests: typeof service) => [
      ...new Set(requests.of("listLivePositions").map(({ url }) => url.searchParams.get("hideSpeedIfSpeedSensitive"))),
    ];
    const respecting = await serve();
    await respecting.text("locate_vehicle", { query: "van 77" });
    expect([requested(service), requested(respecting.service)]).toEqual([["false"], ["true"]]);
  });
});

describe("FLEET_DRIVER_NAMES=hide", () => {
  const hide = { FLEET_DRIVER_NAMES: "hide" };
  const ALIAS = /^Driver [0-9a-f]{10}$/;
  const driverOf = async ({ record }: Awaited<ReturnType<typeof serve>>) =>
    (await record("locate_vehicle", { query: "truck 12" })).vehicle.driverName;

  it("uses one pseudonym everywhere, by which a vehicle is found, but not by the real name", async () => {
    const served = await serve(hide);
    const { record, call } = served;
    const driverName = await driverOf(served);
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

  it("keeps pseudonyms across restarts with a key, but not without", async () => {
    const aliasWith = async (env: Record<string, string>) => driverOf(await serve({ ...hide, ...env }));
    const key = { FLEET_SEAL_KEY: Buffer.alloc(32, 7).toString("base64") };
    expect(await aliasWith(key)).toBe(await aliasWith(key));
    expect(await aliasWith({})).not.toBe(await aliasWith({}));
  });

  it("hides names in jobs, including their histories, but not customers' names", async () => {
    const job = {
      jobNumber: "J1",
      contactName: "Client Contact",
      clientName: "Client Ltd",
      personName: "Carla Conti",
      statusHistory: [{ date: "2026-11-20", personId: "p1", name: "Carla Conti" }],
      jobHistory: [{ personId: "p1", name: "Carla Conti", assignedPersonName: "Carla Conti", assignedAssetName: "Truck 12" }],
      visitResults: [{ taskAnswers: [{ title: "Seal", personName: "Carla Conti" }] }],
      jobType: { id: "t1", resources: [{ name: "plan.pdf" }] },
    };
    const { record } = await servedFleet({
      env: hide,
      script: { createJob: () => ({ body: { job } }), listJobs: () => ({ body: { jobs: [job], by: { driverName: "Carla Conti" } } }) },
    });
    for (const [tool, args] of [
      ["create_job", { address: "Quai Perrache 10, Lyon", personId: "p1" }],
      ["list_jobs", { fields: Object.keys(job) }],
    ] as const) {
      const shown = JSON.stringify(await record(tool, args));
      expect(shown).not.toMatch(/Carla|Conti\b/);
      expect(shown).toMatch(/Client Contact.*Client Ltd.*plan\.pdf/);
      expect(shown.match(/Driver [0-9a-f]{10}/g)?.length).toBeGreaterThanOrEqual(5);
    }
  });

  const BESIDE_ID = { driverId: "p1", name: "Unknown Newcomer" };

  it.each<[string, Record<string, unknown>]>([
    ["next to a driver's id", BESIDE_ID],
    ["next to a person's id, in other spellings", { person_id: "p1", full_name: "Unknown Newcomer" }],
    ["in a record of a driver", { driver: { id: "p1", name: "Unknown Newcomer" } }],
    ["in a list of persons", { persons: [{ displayName: "Unknown Newcomer" }] }],
    ["in a field that names a driver", { lastDriverFullName: "Unknown Newcomer" }],
    ["anywhere, if it is a driver's full name", { comment: "Carla Conti", by: { who: [" Carla Conti "] } }],
    ["before the record that says it is one, and with blanks", { comment: "Known Later", more: { driverName: "Known Later " } }],
  ])("hides names in undocumented data: %s", async (_, fields) => {
    const body = { events: [{ eventId: "e1", ...fields }] };
    const script = { listLivePositions: () => ({ body: cannedFleet() }), listTireEvents: () => ({ body }), listJobs: () => ({ body }) };
    const { record } = await servedFleet({ env: hide, script });
    for (const tool of ["list_tire_events", "list_jobs"]) {
      const { items } = await record(tool, { fields: ["eventId", ...Object.keys(fields)] });
      expect(items[0].eventId).toBe("e1");
      expect(JSON.stringify(items)).not.toMatch(/Carla|Conti|Newcomer|Later/);
    }
  });

  it("leaves names of groups, places and customers in undocumented data", async () => {
    const event = { driverGroupName: "Relief", siteName: "Lyon South", customer: { name: "Client Ltd" }, persons: 3, personIds: ["p1"] };
    const script = { listLivePositions: () => ({ body: [] }), listTireEvents: () => ({ body: [event] }) };
    const { record } = await servedFleet({ env: hide, script });
    expect((await record("list_tire_events", { fields: Object.keys(event) })).items).toEqual([event]);
  });

  it("hides fields known to hold drivers' names even if the fleet cannot be read", async () => {
    const script = { listLivePositions: () => ({ status: 500 }), listTireEvents: () => ({ body: [BESIDE_ID] }) };
    const { record } = await servedFleet({ env: hide, script });
    expect((await record("list_tire_events")).items[0].name).toMatch(ALIAS);
  });

  it("hides a driver's name in what the service says about a failure", async () => {
    const { text, failure } = await servedFleet({
      env: hide,
      script: {
        listLivePositions: () => ({ body: cannedFleet() }),
        createJob: () => ({ body: { errors: [{ field: "personName", message: "the default driver is Carla Conti" }] } }),
      },
    });
    await text("locate_vehicle", { query: "truck 12" });
    const refused = await failure("create_job", { address: "Lyon" });
    expect(refused).toMatch(/the default driver is Driver [0-9a-f]{10}/);
    expect(refused).not.toContain("Conti");
  });
});
