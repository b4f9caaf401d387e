import { cannedFetch } from "./canned-fetch.ts";
import { linkServer } from "./linked-server.ts";
import type { Outcome } from "./outcome.ts";
import { environmentOf } from "./tool-outcomes.ts";

type Vehicle = Readonly<Record<string, unknown>>;

const NOW = Date.UTC(2026, 10, 20, 12);

const NAMES = ["assetId", "assetName", "assetRegistration", "driverName"];
const TEXTS = [...NAMES, "eventType", "formattedAddress", "locationName", "date", "city", "country"];
const alike = (fields: readonly string[], value: unknown): Vehicle => Object.fromEntries(fields.map((field) => [field, value]));
const all = (value: string) => alike(TEXTS, value);

/** What is told of a vehicle that has nothing else than a name. */
const TOLD: Readonly<Record<string, Vehicle>> = {
  nothing: {},
  "all that tells it from others": { assetRegistration: "B X 1", assetId: "v1", driverName: "Anna Keller" },
  "an id": { assetId: "v1" },
  "texts that are empty": { ...all(""), assetName: "Truck 1" },
  "an empty address, and a city": { formattedAddress: "", city: "Lyon" },
  "texts that nobody sees": { formattedAddress: "\u200b ", country: "France", locationName: "\u200b", driverName: " " },
  "every number": { speed: 49.5, heading: 91, latitude: 1.234567, longitude: -0.00001, electricCharging: true },
  standing: { speed: 0, heading: 91, electricCharging: false },
  "moving hardly": { speed: 0.4, heading: 91 },
  "half a point": { latitude: 1, city: "Lyon" },
  "the other half": { longitude: 1, country: "France" },
  "a city of a country": { city: "Lyon", country: "France" },
  "an address": { formattedAddress: "Quai 1, Lyon", city: "Lyon", country: "France" },
  "a location": { locationName: "Depot", latitude: 1, longitude: 2 },
  "a time that is none": { date: "soon" },
  "a time": { date: "2026-11-20T11:59Z" },
  "an activity called as what every object has": { eventType: "constructor" },
  "no private journey": { privacy: false, locationName: "Depot" },
  ...Object.fromEntries(["driving", "ping", "input", "unknown", "defect", "towing"].map((eventType) => [eventType, { eventType }])),
};

const JOURNEY: Vehicle = { assetName: "Truck 1", privacy: true, locationName: "Depot", city: "Lyon", speed: 50, heading: 90 };

const KELLERS = ["Anna", "Bert"].map((name, at) => ({ assetName: `Van ${at}`, driverName: `${name} Keller` }));
const trucks = (count: number, more: (at: number) => Vehicle = () => ({})) =>
  Array.from({ length: count }, (_, at): Vehicle => ({ assetName: `Truck ${at}`, assetId: `t${at}`, ...more(at) }));

const ofLongNames = (at: number): Vehicle => ({ assetRegistration: `${at}`.repeat(50), driverName: `driver ${"d".repeat(50)}` });
const ofQuotes = (): Vehicle => ({ driverName: '"'.repeat(50), assetRegistration: '"'.repeat(50) });

interface Question {
  query: string;
  fleet: readonly Vehicle[];
  env?: Record<string, string>;
  budgets?: readonly number[];
}

const SMALL = [5_000, 300, 260, 230, 200];

const QUESTIONS: Readonly<Record<string, Question>> = {
  ...Object.fromEntries(
    Object.entries(TOLD).map(([name, more]) => [name, { query: "truck 1", fleet: [{ assetName: "Truck 1", ...more }] }]),
  ),
  "nothing but a driver": { query: "anna", fleet: [{ driverName: "Anna" }] },
  "a hidden driver": { query: "truck 1", fleet: [{ assetName: "Truck 1", driverName: "Anna" }], env: { FLEET_DRIVER_NAMES: "hide" } },
  "a private journey": { query: "truck 1", fleet: [JOURNEY] },
  "a private journey that is shown": { query: "truck 1", fleet: [JOURNEY], env: { FLEET_PRIVACY: "off" } },
  "long texts": { query: "v1", fleet: [{ ...all("x".repeat(150)), assetVin: "v1" }], budgets: [...SMALL, 400] },
  "long texts without an address": {
    query: "v1",
    fleet: [{ ...all("x".repeat(150)), formattedAddress: undefined, assetVin: "v1" }],
  },
  "texts of quotes": { query: "v1", fleet: [{ ...all('"'.repeat(150)), assetVin: "v1" }], budgets: SMALL },
  "all of a vehicle, and no room for it": {
    query: `kellermamn${'"'.repeat(30)}`,
    fleet: [
      {
        ...all('"'.repeat(150)),
        ...{
          driverName: `Kellermann${'"'.repeat(150)}`,
          privacy: true,
          speed: 123.456789,
          heading: 123.456789012345,
          electricCharging: true,
        },
        ...{ latitude: -12.345678901234567, longitude: -123.45678901234568, date: "2026-11-20T11:59:00.000000000Z" },
      },
    ],
    env: { FLEET_PRIVACY: "off" },
    budgets: [230],
  },
  "a driver whose name is spelt otherwise": { query: "kellermanx", fleet: [{ assetName: "Van", driverName: "Anna Kellerman" }] },
  "a long name that is spelt otherwise": {
    query: "kellermamn heavy transport of the north",
    fleet: [{ assetName: "Kellermann Heavy Transport of the North" }],
  },
  "two of a name": {
    query: "truck",
    fleet: [
      { assetName: "Truck", assetId: "a1" },
      { assetName: "Truck", assetId: "a2" },
    ],
    budgets: SMALL,
  },
  "two drivers of a name": { query: "keller", fleet: KELLERS },
  "two of which one has no name": { query: "keller", fleet: [{ assetRegistration: "B 1", driverName: "Carl Keller" }, ...KELLERS] },
  "texts that are empty, of candidates": { query: "truck", fleet: trucks(2, () => ({ assetRegistration: "", driverName: "" })) },
  ...Object.fromEntries([4, 5].map((count) => [`${count} trucks`, { query: "truck", fleet: trucks(count), budgets: SMALL }])),
  "long names that fit": {
    query: "truck",
    fleet: trucks(6, ofLongNames),
    budgets: SMALL,
  },
  "names of quotes that fit": {
    query: "truck",
    fleet: trucks(6, ofQuotes),
    budgets: SMALL,
  },
  "no such truck": { query: "trukk 99", fleet: trucks(6), budgets: SMALL },
  "none of a few": { query: "zebra", fleet: trucks(2) },
  "none of long names": {
    query: "zebra",
    fleet: trucks(3, ofLongNames),
    budgets: SMALL,
  },
  "none of names of quotes": {
    query: "zebra",
    fleet: trucks(3, ofQuotes),
    budgets: SMALL,
  },
  "like no name": { query: "x".repeat(61), fleet: trucks(3) },
  "an empty fleet": { query: `"${"x".repeat(70)}`, fleet: [], budgets: SMALL },
  "no words": { query: "?", fleet: trucks(4) },
  "no query": { query: "", fleet: [] },
};

/** What locate_vehicle says of vehicles of which one has what another one lacks, and asks where it is not sure. */
export async function* locateOutcomes(): AsyncGenerator<Outcome> {
  for (const [name, { query, fleet, env, budgets = [5_000] }] of Object.entries(QUESTIONS)) {
    const response = { status: 200, headers: {}, text: JSON.stringify(fleet) };
    const fetch = cannedFetch({ operation: "listLivePositions", response });
    let before = "";
    for (const budget of budgets) {
      const { client, call } = await linkServer({ ...environmentOf(budget), ...env }, { fetch, now: NOW });
      const answer = await call("locate_vehicle", { query });
      await client.close();
      if (JSON.stringify(answer) !== before) yield [`${name} within ${budget}`, answer];
      before = JSON.stringify(answer);
    }
  }
}
