import { describe, expect, it } from "vitest";
import { servedFleet } from "./served-fleet.ts";

type Row = Record<string, unknown>;

const FLEET: Row[] = [
  {
    ...{ assetName: "A", city: "Zaragoza", country: "Spain", speed: 0, electricCharging: false, assetType: "TRUCK" },
    ...{ tags: ["leased", "north wing"], date: "2026-11-20T08:00:00Z", assetVin: "P0401", locationName: "Lyon, Part-Dieu" },
  },
  {
    ...{ assetName: "B", city: "Lyon", country: "FR", speed: 50, electricCharging: true, assetType: "VAN", tags: [] },
    ...{ date: "2026-11-19T23:30:00Z", assetGroupName: "North", ignitionStatus: "ON" },
  },
  {
    ...{ assetName: "C", city: "Göttingen", country: "Germany", speed: 80.5, energyType: "EV", tags: ["northern"] },
    ...{ date: "2026-11-19T22:30:00Z", ignitionStatus: "OFF", driverGroupName: "North" },
  },
  { assetName: "D", city: "Lyonnais", country: null, assetType: "RED_STOP", driverName: "Ana" },
];

/** The names of the vehicles that a list shows, and its first line. */
async function listed(where: string, fleet: readonly Row[] = FLEET) {
  const { call } = await servedFleet({
    script: { listLivePositions: () => ({ body: fleet }) },
    env: { FLEET_TIME_ZONE: "Europe/Berlin", FLEET_PRIVACY: "off" },
    options: { now: () => Date.UTC(2026, 10, 20, 9) },
  });
  const { ok, text, structured } = await call("list_live_positions", { where, fields: "assetName" });
  const rows = (structured as { rows?: unknown[][] }).rows ?? [];
  return { ok, names: rows.map(([name]) => name).join(""), head: text.split("\n", 1)[0] ?? "" };
}

it.each<[about: string, finds: Record<string, string>]>([
  [
    "texts: equal ones only or, if there are none, those that contain the words, or the text",
    {
      ...{ "city=lyon": "B", "city = Saragossa": "A", "city=gottingen": "C", "country=Espagne": "A", "country=France": "B" },
      ...{ "country=ES|Deutschland": "AC", "assetType=red stop": "D", "assetType=stop": "D", "assetType=LKW": "A", "tags=ase": "" },
      ...{ "energyType=electric": "C", "energyType=elektrisch": "C", "ignition=true": "B", "tags=north": "A", "tags=nort": "AC" },
      ...{ "assetVin=401": "A", 'location="Lyon, Part-Dieu"': "A", "assetType!=truck": "BD", "assetType!=truck|van": "D" },
    },
  ],
  [
    "numbers, flags and missing values; a vehicle that lacks the value may have the unwanted one",
    {
      ...{ "speed=50": "B", "speed=80,5": "C", "speed=5": "", "charging=yes": "B", "charging=0": "A", "charging=none": "CD" },
      ...{ "charging!=none": "AB", "tags=none": "BD", "charging!=true": "A" },
    },
  ],
  [
    "times, in the time zone of the user",
    {
      ...{ "date=today": "AB", "date=yesterday": "C", "date=2026-11-19": "C", "date=2026-11-19T22:30:00Z": "C", "date!=today": "C" },
      ...{ "date<2 hours ago": "BC", "date<=1h ago": "ABC", "date>90 min ago": "A", "date>=2026-11-20": "AB", "date<today": "C" },
    },
  ],
  [
    "comparisons, all of which must hold",
    {
      ...{ "speed>50": "C", "speed>=50": "BC", "speed<50": "A", "speed<=50": "AB", "speed>= -1": "ABC", "speed>80.4 km/h": "C" },
      ...{ "speed>0, country=Germany": "C", "speed>0 and country=Germany and city!=Lyon": "C" },
    },
  ],
  ["fields in the user's words", { "Asset_Type=van": "B", "town=lyon": "B", "group=north": "B", "driver=ana": "D" }],
])("conditions on %s", async (_, finds) => {
  for (const [where, names] of Object.entries(finds)) expect({ where, ...(await listed(where)) }).toMatchObject({ where, ok: true, names });
});

describe("where", () => {
  it.each([
    ["kind=bus", "no such field: kind"],
    ["odometr=5", "Choose from odometer"],
    // A word that is no field's name may turn the meaning around.
    ["cityNot=Lyon", "no such field: cityNot. Next: Choose from city"],
    ["moving", 'not understood: "moving". Next: Write field, operator'],
    ["speed>80 or city=Lyon", "not understood"],
    ["city~Lyon", "not understood"],
    ["city=Lyon|speed>5", "such as speed>80"],
    ["speed>fast", "is neither a number nor a time. Next: Compare with a number in km/h"],
    ["speed=50 mph", "is not a number"],
    ["date<24h", "is not a time. Next: Compare with a date, a date-time, or a time such as 2 hours ago"],
    ["city=true", "is neither true nor false. Next: Compare with one of its values: “Göttingen, Lyon, Lyonnais, Zaragoza”, or none"],
    ["tags>0", "is neither a number nor a time. Next: Compare with = or !=, such as tags!=none"],
    [Array.from({ length: 21 }, () => "speed>80").join(), "21 conditions exceed the limit of 20"],
  ])("%j is refused: %s", async (where, message) => {
    const { ok, head } = await listed(where);
    expect([ok, head]).toEqual([false, expect.stringMatching(/^input: where: /)]);
    expect(head).toContain(message);
  });
});

const odometers = [80.5, 100, 1234, 100_000, 1_020_086, 1_020_086.5].map((odometer) => ({ assetName: `${odometer} `, odometer }));

it("a number is read with its unit and separators", async () => {
  const read = { "80,5": 80.5, "100 km": 100, "1 020 086": 1020086, "1\u202f020\u202f086": 1020086, "1’020’086": 1020086 };
  const more = { "1.020.086": 1020086, "1.020.086,5": 1020086.5, "1,020,086.5": 1020086.5 };
  // These may mean either, so the result says how they were read.
  const either = { "1,234": 1234, "100.000": 100, "100,000 km": 100000 };
  for (const [number, expected] of Object.entries({ ...read, ...more, ...either })) {
    const note = number in either ? `${number} is read as ${expected}.` : "";
    const { names, head } = await listed(`odometer=${number}`, odometers);
    expect([number, names.trim(), head.includes(" is read as ")]).toEqual([number, String(expected), note !== ""]);
    expect(head).toContain(note);
  }
  for (const number of ["1,020 086", "12,34,567", "100k", "80 mi", "2026-11-20", "5 or so"])
    expect((await listed(`odometer=${number}`, odometers)).head).toMatch(/^input: where: /);
});

describe("the result says", () => {
  it.each([
    ["what was asked", "assetType=truck", "1 of 1 vehicle. Where assetType=truck."],
    ["what a value matched, if it is not the value itself", "assetType=stop", "assetType=stop matched: “RED_STOP”"],
    ["what is similar", "assetType=trukc", "No assetType matches “trukc”. Similar: “TRUCK”"],
    ["which values exist", "assetType=bus", "No assetType matches “bus”. Values: “RED_STOP, TRUCK, VAN”"],
    ["how many lack the value", "speed>60", "Where speed>60. Left out without speed: 1"],
    ["nothing of them if another condition excludes them", "speed>60 and energyType=ev", "Where speed>60 and energyType=ev."],
    ["the range of values if none matches", "speed>100", "Of 4, 3 have speed, from 0 to 80.5."],
    ["that of times, in the user's zone", "date>today", "Of 4, 3 have date, from 2026-11-19 23:30 to 2026-11-20 09:00."],
    ["that among what the other conditions leave", "speed>60 and assetType=van", "Of 1 with assetType=van, 1 have speed, from 50 to 50."],
    ["in which zone a time was read", "date>2026-11-19T23:00", "2026-11-19T23:00: read in Europe/Berlin."],
  ])("%s: %s", async (_, where, note) => expect((await listed(where)).head).toContain(note));

  it("at most eight values, and at most 200 characters of the conditions", async () => {
    const fleet = [..."jihgfedcba"].map((letter) => ({ assetName: letter, city: letter.repeat(4) }));
    expect((await listed("city=qqqqqqqq", fleet)).head).toContain("Values: “aaaa, bbbb, cccc, dddd, eeee, ffff, gggg, hhhh”");
    expect((await listed(`city=aaaa|${"x".repeat(300)}`, fleet)).head).toMatch(/Where city=aaaa\|x{180,190}…\./);
  });

  /** Of a vehicle whose place is known, no location means none. */
  it("who is at another location or none, and of whom nothing is known", async () => {
    const at = (assetName: string, more: Row = {}): Row => ({ assetName, latitude: 45.7, longitude: 4.8, ...more });
    const [yard, depot] = [{ locationName: "Yard" }, { locationName: "Lyon Depot" }];
    const fleet = [at("A", depot), at("B", yard), at("C"), { assetName: "D" }, { assetName: "E", ...yard }];
    const { names, head } = await listed("locationName!=Lyon Depot", fleet);
    expect([names, head]).toEqual(["BCE", expect.stringContaining("Left out without locationName: 1.")]);
    expect((await listed("locationName!=none", fleet)).names).toBe("ABE");
    expect((await listed("locationName=none", fleet)).names).toBe("CD");
  });
});
