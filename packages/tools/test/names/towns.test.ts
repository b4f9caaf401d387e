import { gazetteer } from "@fleetwire/tools/gazetteer";
import { describe, expect, it } from "vitest";
import type { Position } from "../canned-fleet.ts";
import { servedFleet } from "../served-fleet.ts";
import { rowsOf } from "../text-rows.ts";

const digits = (value: number) => Math.round(value).toString(36).padStart(3, "0");

/** A town, with degrees north and east, and thousands of people. */
const town = (name: string, latitude: number, longitude: number, population: number) => ({
  name,
  code: digits(100 * (latitude + 90)) + digits(100 * (longitude + 180)) + digits(population),
});

/** A map of few towns, by country, the largest first. */
const gazetteerOf = (countries: Record<string, ReturnType<typeof town>[]>): typeof gazetteer =>
  Object.fromEntries(
    Object.entries(countries).map(([country, towns]) => [
      country,
      { names: towns.map(({ name }) => name).join("|"), codes: towns.map(({ code }) => code).join("") },
    ]),
  );

// Half a degree of latitude is 55.6 km.
const TOWNS = gazetteerOf({
  AT: [town("Halle", 52.1, 8.4, 21), town("Berg", 48.4, 10, 20), town("Burg", 52.35, 11.9, 2)],
  BE: [town("Halle", 50.7, 4.2, 40)],
  DE: [
    ...[town("Frankfurt am Main", 50.1, 8.7, 750), town("Leipzig", 51.3, 12.4, 600), town("Halle", 51.5, 12, 240)],
    ...[town("Frankfurt (Oder)", 52.3, 14.5, 57), town("Burg", 52.3, 11.9, 20), town("Berg", 48, 10, 50)],
    ...[town("Altdorf", 47, 9, 60), town("Altdorf am See", 48, 11, 40), town("Altdorf im Wald", 49, 12, 11)],
    ...[town("Neustadt", 49.3, 8.1, 50), town("Neustadt bei Coburg", 50.3, 11.1, 24)],
  ],
  FR: [town("Paris", 48.9, 2.4, 2_100)],
  IT: [town("Florence", 43.8, 11.3, 350)],
  US: [town("Paris", 33.7, -95.6, 25), town("Burg", 30, -90, 30)],
});

const at = (latitude: number | undefined, longitude: number, more: Position = {}) =>
  ({ ...(latitude !== undefined && { latitude }), longitude, ...more }) as Position;

/** A fleet's tools, with a map of these towns. */
const serve = (fleet: readonly Position[], map = TOWNS) =>
  servedFleet({
    script: { listLivePositions: () => ({ body: fleet.map((position, id) => ({ assetId: `v${id}`, ...position })) }) },
    options: { gazetteer: async () => ({ gazetteer: map }) },
  });

/** What find_nearest_vehicles measures from; "?" and what an ambiguous name may mean; "!" and what is like an unknown one. */
async function origin(to: string, fleet: readonly Position[], map = TOWNS): Promise<string> {
  const { note = "", question, result } = await (await serve(fleet, map)).record("find_nearest_vehicles", { to });
  if (question === undefined) return /direction from (.*?)\.(?= |$)(?! \d)/.exec(note)?.[1] ?? note;
  const names = /(?:Which one:|Did you mean(?: one of these:)?) (.*)\?$/.exec(question)?.[1] ?? "";
  return `${result === "ambiguous" ? "?" : "!"} ${names}`.trim();
}

const halle = (latitude: number, longitude: number, country: string) => at(latitude, longitude, { city: "Halle", country });
const leipzig = (latitude: number, longitude = 12.4) => at(latitude, longitude, { city: "Leipzig", country: "DE" });
const kleindorf = (latitude: number | undefined) => at(latitude, 10, { city: "Kleindorf" });
const HALLES = "? Halle, Germany, near Leipzig (51.50, 12.00); Halle, Belgium (50.70, 4.20); Halle, Austria (52.10, 8.40)";

const IN_AUSTRIA = "Halle, Austria (not Halle, Germany or Halle, Belgium)";
const TWO_PARIS = "? Paris, France (48.90, 2.40); Paris, United States (33.70, -95.60)";
const CENTER = "the center of the vehicles that report it";

describe("a town is found", () => {
  it.each(
    rowsOf(`
    Leipzig, Germany: Leipzig | near the city of Leipzig, Germany
    Halle, Belgium: Halle, Belgium | Halle BE
    -51.31, -9.48: -51.31;-9.48°
    51.5, 12: Halle, Germany (51.5, 12)
    ? Altdorf, Germany (47.00, 9.00); Altdorf am See, Germany (48.00, 11.00): Altdorf
    ? Burg, United States (30.00, -90.00); Burg, Germany, near Halle (52.30, 11.90): Burg
    ${HALLES}: Halle
    ${HALLES.replace("?", "!")}: Halle, France
    ! Neustadt, Germany, near Frankfurt am Main (49.30, 8.10): Neustadt an der Weinstraße
    ! Leipzig, Germany (51.30, 12.40): Leipzik | Dock 3, Unit 4, 04103 Leipzig, Germany
    ! Frankfurt (Oder), Germany (52.30, 14.50): Hauptstr. 7, 15230 Frankfurt (Oder)
    !: Germany | Leipzik, Belgium | Altdorff | Hauptstr. 7, Nowhere | 91, 9`),
  )("%s by %s", async (expected, names) => {
    for (const to of names.split(" | ")) expect(await origin(to, []), to).toBe(expected);
  });

  it.each<[why: string, to: string, expected: string, fleet: Position[]]>([
    ["not by a longer name of a much smaller one", "Neustadt", "Neustadt, Germany", [at(50.3, 11.1)]],
    ["as the one that vehicles report", "Halle", IN_AUSTRIA, [halle(52.1, 8.4, "Austria")]],
    ["not if vehicles report two", "Halle", HALLES, [halle(52.1, 8.4, "Austria"), halle(50.7, 4.2, "Belgium")]],
    ["as a much larger one, if no vehicle is near another", "Paris", "Paris, France (not Paris, United States)", [at(34.3, -95.6)]],
    ["not as a much larger one, if a vehicle is near another", "Paris", TWO_PARIS, [at(34, -95.6), at(48, 2)]],
    ["as the only one near a vehicle", "Halle", "Halle, Belgium (not Halle, Germany or Halle, Austria)", [at(50.7, 2.9)]],
    ["not by vehicles without a position", "Halle", HALLES, [at(undefined, 4.2)]],
    ["if only vehicles know it", "Kleindorf", `Kleindorf (${CENTER})`, [kleindorf(50.02), kleindorf(49.98)]],
    ["not if the vehicles that report it have no position", "Kleindorf", "!", [kleindorf(undefined)]],
    ["not by a misspelt name that vehicles report", "Kleindorv", "! Kleindorf, near Frankfurt am Main (50.00, 10.00)", [kleindorf(50)]],
    ["as reported by a vehicle nearby", "Leipzig", "Leipzig, Germany", [leipzig(51.8)]],
    ["beside a namesake elsewhere", "Leipzig", `Leipzig, Germany (${CENTER}; not Leipzig, Germany)`, [leipzig(49)]],
    ["where it is, though half of its vehicles are far away", "Leipzig", "Leipzig, Germany", [leipzig(51.3), leipzig(48.1, 11.6)]],
    ["as the nearer one to those who report it", "Berg", "Berg, Austria (not Berg, Germany)", [at(48.4, 10, { city: "Berg" })]],
  ])("%s: %j", async (_, to, expected, fleet) => expect(await origin(to, fleet)).toBe(expected));

  it("without a map only where vehicles report it", async () => {
    const { text, question } = await servedFleet({ script: { listLivePositions: () => ({ body: [leipzig(50, 10)] }) } });
    expect(await text("find_nearest_vehicles", { to: "Leipzig" })).toContain(`from Leipzig, Germany (${CENTER}).`);
    const asked = await question("find_nearest_vehicles", { to: "Halle" });
    expect(asked).toMatch(/^No vehicle, driver, location or town matches "Halle"\. What is/);
  });
});

const FLEET: Position[] = [
  { assetId: "t1", assetName: "Truck 1", assetRegistration: "AB 1234", latitude: 50, longitude: 9, assetGroupName: "Leipzig" },
  { assetId: "l1", assetName: "Leipzig van", latitude: 51, longitude: 10, driverName: "Ana Florence" },
  { assetId: "t2", assetName: "Truck 2", driverName: "Bo Tanaka" },
  { assetId: "p1", assetName: "Secret 7", driverName: "Kim Oh", privacy: true },
  { assetId: "d1", assetName: "Shuttle", latitude: 50, longitude: 10, locationId: "l1", locationName: "North depot" },
  { assetId: "d2", assetName: "Runner", latitude: 50.03, longitude: 10, locationId: "l1", locationName: "North depot" },
  { assetId: "b1", assetName: "Halle", latitude: 1, longitude: 2, driverName: "Max Burk" },
];

describe("a vehicle, driver, location or town", () => {
  it.each(
    rowsOf(`
    Leipzig, Germany: Leipzig
    Burg, Germany: Burg, Germany
    Leipzig van (l1): where is the Leipzig van | ana florence
    Truck 1 (AB 1234): AB 1234
    Shuttle (d1): shutle
    Halle (b1): halle
    North depot: the depot
    ? Leipzig van (l1), driver Ana Florence; Florence, Italy (43.80, 11.30): Florence
    ? Truck 1 (AB 1234); Truck 2 (t2), driver Bo Tanaka: truck
    !: granite`),
  )("%s is where %s is", async (expected, names) => {
    for (const to of names.split(" | ")) expect(await origin(to, FLEET), to).toBe(expected);
  });

  it.each([
    ["truck 2", "Truck 2 (t2) has reported no position"],
    ["secret 7", "Secret 7 (p1) is on a private journey, whereabouts withheld"],
  ])("%j is nowhere", async (to, message) => {
    const failure = await (await serve(FLEET)).failure("find_nearest_vehicles", { to });
    expect(failure).toContain(`to: ${message}`);
    expect(failure).toContain("pass a town, or latitude and longitude as in 51.31,9.48");
  });

  it.each([
    [[51.25, 51.25, 51.25, 53.5], "Yard (where 3 of its 4 vehicles are)"],
    [[51.25, 53.5], "Yard (where 1 of its 2 vehicles is)"],
  ])("a location is where most of its vehicles are: %j", async (latitudes, expected) => {
    const fleet = latitudes.map((latitude) => at(latitude, 12, { locationId: "l9", locationName: "Yard" }));
    expect(await origin("yard", fleet)).toBe(expected);
    const { items } = await (await serve(fleet)).record("find_nearest_vehicles", { to: "yard", limit: 1 });
    expect(items[0].km).toBe(0);
  });
});

describe("in a country or city", () => {
  const VEHICLES = [
    ["Halle", "Germany"],
    ["Halle", "Deutschland"],
    ["Halle", "Belgium"],
    ["Frankfurt am Main", "DE"],
    ["Zaragoza", "Spain"],
    ["Casablanca", "Atlantis"],
    ["Nowhere"],
    [undefined, "Spain"],
  ].map(([city, country], at) => ({ latitude: 50 + at, longitude: 10, assetName: String(at), city, country }) as Position);

  it.each([
    ["Germany", [0, 1, 3], "Germany"],
    ["Niemcy", [0, 1, 3], "Germany"],
    ["in Spain", [4, 7], "Spain"],
    ["Portugal", [], "Portugal"],
    ["Halle, Germany", [0, 1], "Halle, Germany"],
    ["Halle BE", [2], "Halle, Belgium"],
    ["Frankfurt", [3], "Frankfurt am Main, Germany"],
    ["Saragossa", [4], "Zaragoza, Spain"],
    ["Casablanca", [5], "Casablanca, Atlantis"],
    ["nowhere", [6], "Nowhere"],
    // A town that no vehicle reports.
    ["Leipzig, Germany", [], "Leipzig, Germany"],
  ])("%j includes %j", async (place, found, label) => {
    const { items, note } = await (await serve(VEHICLES)).record("find_nearest_vehicles", { to: "50, 10", in: place });
    expect(items.map(({ assetName }: Position) => Number(assetName))).toEqual(found);
    expect(note).toContain(`only in ${label}.`);
  });

  it.each<[place: string, question: string]>([
    ["Halle", '2 countries and cities match "Halle". Which one: Halle, Germany (2 vehicles); Halle, Belgium (1 vehicle)?'],
    ["Saragoza", "Did you mean Zaragoza, Spain (1 vehicle)?"],
    ["Bavaria", "Countries reported: Atlantis, Belgium, Germany, Spain; regions are not."],
    ["Halle, France", 'No country or city matches "Halle, France".'],
    ["Leipzig, France", 'No country or city matches "Leipzig, France".'],
    ["Frankfurt am M", 'No country or city matches "Frankfurt am M".'],
  ])("asks about %j", async (place, question) => {
    expect(await (await serve(VEHICLES)).question("find_nearest_vehicles", { to: "50, 10", in: place })).toContain(question);
  });

  it("no vehicle on a private journey is in a place, which the result says", async () => {
    const { text } = await serve([at(51, 9, { city: "Leipzig", privacy: true })]);
    expect(await text("summarize_fleet", { in: "Leipzig" })).toMatch(/^0 vehicles .* 1 on private journeys, whereabouts withheld\./);
  });
});

it.each([
  ["Köln, Germany", "Colonia"],
  ["Köln, Germany", "Kolín nad Rýnem"],
  ["Kyiv, Ukraine", "Київ"],
  ["Munich, Germany", "Muenchen"],
  ["The Hague, Netherlands", "L'Aia"],
  [/^\? Valencia, Spain \(.*; Valence, France/, "Valence"],
])("%s is called %s in another language", async (town, name) => {
  const found = await origin(name, [], gazetteer);
  if (typeof town === "string") expect(found).toBe(town);
  else expect(found).toMatch(town);
});
