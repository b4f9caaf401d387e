import { describe, expect, it } from "vitest";
import { cannedFleet, type Position } from "../../tools/test/canned-fleet.ts";
import { serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

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

const whereabouts = Object.values(WHEREABOUTS).map(String);
const fleet = [...cannedFleet(), { ...PRIVATE, ...WHEREABOUTS }];
const everyWord = (result: unknown) => JSON.stringify(result).match(/[\p{L}\p{N}.]+/gu) ?? [];

const serve = (env: Record<string, string> = {}) =>
  serverUnderTest({ script: { listLivePositions: () => ({ body: fleet }) }, env: { FLEET_MAX_RESULT_TOKENS: "50000", ...env } });

describe("a private journey", () => {
  it("is found by locate_vehicle, with its whereabouts withheld", async () => {
    const { call } = await serve();
    const result = await call("locate_vehicle", { query: "van 77" });
    expect(textOf(result)).toBe(
      "Van 77 (PR11 VAT): driving. 2026-11-20 08:30 in UTC, 4 min ago. Driver: Petra Privat. Id: v77. On a private journey: whereabouts withheld.",
    );
    expect(structuredOf(result).vehicle).toEqual({ ...PRIVATE, age: "4 min ago" });
    for (const word of whereabouts.flatMap(everyWord)) expect(everyWord(result)).not.toContain(word);
  });

  it("has its whereabouts withheld by list_live_positions, whatever fields are requested", async () => {
    const { call } = await serve();
    const result = await call("list_live_positions", { fields: ["assetName", "privacy", ...Object.keys(WHEREABOUTS)], limit: 500 });
    const { items, note } = structuredOf(result);
    const van = items.find(({ assetName }: Position) => assetName === "Van 77");
    expect(van).toEqual({ assetName: "Van 77", privacy: true });
    expect(note).toContain("Whereabouts on private journeys are withheld");
    for (const word of ["Marienplatz", "Munich", "80331", "Holiday", "48.13743", "loc4711", "87.3", "133"])
      expect(everyWord(result)).not.toContain(word);
    expect(items.find(({ assetName }: Position) => assetName === "Van 12")).toMatchObject({
      city: expect.any(String),
      speed: expect.any(Number),
    });
  });

  it.each(["true", 1, {}])("counts as private if its flag is %j, which is invalid", async (privacy) => {
    const { call } = await serverUnderTest({ script: { listLivePositions: () => ({ body: [{ ...PRIVATE, ...WHEREABOUTS, privacy }] }) } });
    const result = await call("locate_vehicle", { query: "van 77" });
    expect(structuredOf(result).vehicle).toMatchObject({ assetName: "Van 77", privacy: true });
    for (const word of whereabouts.flatMap(everyWord)) expect(everyWord(result)).not.toContain(word);
  });

  it("cannot be found by searching for its place", async () => {
    const { call } = await serve();
    for (const query of ["Marienplatz", "Munich", "Holiday home", "loc4711"]) {
      expect(structuredOf(await call("locate_vehicle", { query })).result).toBe("notFound");
    }
  });

  it("is shown if FLEET_PRIVACY is off", async () => {
    const { call, service } = await serve({ FLEET_PRIVACY: "off" });
    const result = await call("locate_vehicle", { query: "van 77" });
    expect(textOf(result)).toContain("Holiday home, Marienplatz 8b, 80331 Munich, Germany");
    expect(textOf(result)).toContain("87 km/h, heading SE");
    const { items, note } = structuredOf(
      await call("list_live_positions", { fields: ["assetName", ...Object.keys(WHEREABOUTS)], limit: 500 }),
    );
    expect(items.find(({ assetName }: Position) => assetName === "Van 77")).toEqual({
      assetName: "Van 77",
      ...WHEREABOUTS,
      direction: "SE",
    });
    expect(note).not.toContain("withheld");
    expect(service.of("listLivePositions").map(({ url }) => url.searchParams.get("hideSpeedIfSpeedSensitive"))).toEqual([
      "false",
      "false",
      "false",
    ]);
  });
});

describe("FLEET_DRIVER_NAMES=hide", () => {
  const hide = { FLEET_DRIVER_NAMES: "hide" };
  const ALIAS = /^Driver [0-9a-f]{10}$/;

  it("uses one pseudonym everywhere", async () => {
    const { call } = await serve(hide);
    const located = await call("locate_vehicle", { query: "truck 12" });
    const listed = await call("list_live_positions", { limit: 500, fields: ["assetName", "driverName"] });
    const { driverName } = structuredOf(located).vehicle;
    expect(driverName).toMatch(ALIAS);
    expect(textOf(located)).toContain(`Driver: ${driverName}`);
    expect(structuredOf(listed).items).toContainEqual({ assetName: "Truck 12", driverName });
    for (const name of ["Carla", "Conti", "Keller"]) expect(JSON.stringify([located, listed])).not.toContain(name);
  });

  it("finds a vehicle by the pseudonym, but not by the real name", async () => {
    const { call } = await serve(hide);
    const { driverName } = structuredOf(await call("locate_vehicle", { query: "truck 12" })).vehicle;
    expect(structuredOf(await call("locate_vehicle", { query: driverName }))).toMatchObject({
      result: "found",
      matchedBy: "driver",
      vehicle: { assetName: "Truck 12" },
    });
    for (const query of ["Carla Conti", "Conti", "driver conti"]) {
      const result = await call("locate_vehicle", { query });
      expect(structuredOf(result).result).toBe("notFound");
      expect(JSON.stringify(result).replaceAll(query, "")).not.toMatch(/Carla|Conti\b/);
    }
  });

  it("keeps pseudonyms across restarts with a key, but not without", async () => {
    const aliasOf = async (env: Record<string, string>) => {
      const { call } = await serve({ ...hide, ...env });
      return structuredOf(await call("locate_vehicle", { query: "truck 12" })).vehicle.driverName;
    };
    const key = { FLEET_SEAL_KEY: Buffer.alloc(32, 7).toString("base64") };
    expect(await aliasOf(key)).toBe(await aliasOf(key));
    expect(await aliasOf({})).not.toBe(await aliasOf({}));
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
    const { call } = await serverUnderTest({
      env: hide,
      script: { createJob: () => ({ body: { job } }), listJobs: () => ({ body: { jobs: [job], by: { driverName: "Carla Conti" } } }) },
    });
    const created = await call("create_job", { address: "Quai Perrache 10, Lyon", personId: "p1" });
    const listed = await call("list_jobs", { fields: Object.keys(job) });
    for (const result of [created, listed]) {
      expect(result.isError).toBeUndefined();
      expect(JSON.stringify(result)).not.toMatch(/Carla|Conti\b/);
      expect(JSON.stringify(result.structuredContent)).toMatch(/Client Contact.*Client Ltd.*plan\.pdf/);
      expect(JSON.stringify(result.structuredContent).match(/Driver [0-9a-f]{10}/g)?.length).toBeGreaterThanOrEqual(5);
    }
  });

  it("leaves a vehicle without a driver unchanged", async () => {
    const { call } = await serverUnderTest({
      env: hide,
      script: { listLivePositions: () => ({ body: [{ assetName: "Van 1", driverName: "" }] }) },
    });
    expect(structuredOf(await call("list_live_positions", { fields: ["driverName"] })).items).toEqual([
      { assetName: "Van 1", driverName: "" },
    ]);
  });

  it("hides a name that precedes the field that reveals it, with or without blanks around it", async () => {
    const { call } = await serverUnderTest({
      env: hide,
      script: {
        listLivePositions: () => ({ body: [{ assetName: "Petra Privat", driverName: "Petra Privat" }] }),
        listJobs: () => ({ body: [{ comment: "Carla Conti" }, { comment: "Petra Privat" }, { driverName: "Carla Conti " }] }),
      },
    });
    const positions = await call("list_live_positions");
    const jobs = await call("list_jobs", { fields: ["comment", "driverName"] });
    expect(JSON.stringify([positions, jobs])).not.toMatch(/Privat|Conti/);
    const [first, , last] = structuredOf(jobs).items;
    expect(first.comment).toBe(last.driverName);
  });

  const ID_BESIDE = { driverId: "p1", name: "Unknown Newcomer" };
  it.each<[string, Record<string, unknown>]>([
    ["next to a driver's id", ID_BESIDE],
    ["next to a person's id, in other spellings", { person_id: "p1", full_name: "Unknown Newcomer" }],
    ["in a record of a driver", { driver: { id: "p1", name: "Unknown Newcomer" } }],
    ["in a list of persons", { persons: [{ displayName: "Unknown Newcomer" }] }],
    ["in a field of its own", { driver: "Unknown Newcomer" }],
    ["in a field that names a driver", { lastDriverFullName: "Unknown Newcomer" }],
    ["anywhere, if it is a driver's full name", { comment: "Carla Conti", by: { who: [" Carla Conti "] } }],
  ])("hides names in undocumented data: %s", async (_, record) => {
    const records = { events: [{ eventId: "e1", ...record }] };
    const { call } = await serverUnderTest({
      env: hide,
      script: {
        listLivePositions: () => ({ body: cannedFleet() }),
        listTireEvents: () => ({ body: records }),
        listJobs: () => ({ body: records }),
      },
    });
    for (const tool of ["list_tire_events", "list_jobs"]) {
      const result = await call(tool, { fields: Object.keys(records.events[0] ?? {}) });
      expect(JSON.stringify(result)).not.toMatch(/Carla|Conti|Newcomer/);
      expect(structuredOf(result).items[0].eventId).toBe("e1");
    }
  });

  it("leaves names of groups, places and customers in undocumented data", async () => {
    const event = { driverGroupName: "Relief", siteName: "Lyon South", customer: { name: "Client Ltd" }, persons: 3, personIds: ["p1"] };
    const { call } = await serverUnderTest({
      env: hide,
      script: { listLivePositions: () => ({ body: [] }), listTireEvents: () => ({ body: [event] }) },
    });
    expect(structuredOf(await call("list_tire_events", { fields: Object.keys(event) })).items).toEqual([event]);
  });

  it("hides fields known to hold drivers' names even if the fleet cannot be read", async () => {
    const { call } = await serverUnderTest({
      env: hide,
      script: { listLivePositions: () => ({ status: 500 }), listTireEvents: () => ({ body: [ID_BESIDE] }) },
    });
    expect(structuredOf(await call("list_tire_events")).items[0].name).toMatch(ALIAS);
  });

  it("hides known names in what the service says about a failure", async () => {
    const { call } = await serverUnderTest({
      env: hide,
      script: {
        listLivePositions: () => ({ body: cannedFleet() }),
        createJob: () => ({ body: { errors: [{ field: "personName", message: "the default driver is Carla Conti" }] } }),
      },
    });
    await call("locate_vehicle", { query: "truck 12" });
    const refused = textOf(await call("create_job", { address: "Lyon" }));
    expect(refused).toMatch(/the default driver is Driver [0-9a-f]{10}/);
    expect(refused).not.toContain("Conti");
  });
});
