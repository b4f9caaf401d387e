import { expect, it } from "vitest";
import { summarizeFleet } from "../../src/tools/summarize-fleet.ts";
import { cannedService, toolsOver } from "../canned-service.ts";

type Json = Record<string, unknown>;

const COUNTRIES = ["FR", "FR", "DE"];
const FLEET = COUNTRIES.map((country, at) => ({
  ...{ assetId: `v${at}`, assetName: `Truck ${at}`, assetType: at === 2 ? "VAN" : "TRUCK", country, city: at === 2 ? "Kassel" : "Lyon" },
  ...{ assetGroupId: `g${at % 2}`, assetGroupName: at % 2 ? "North" : "South", latitude: 45, longitude: 4, date: "2026-11-20T08:30:00" },
  ...{ fuelLevelPercentage: 10 * at + 5 },
}));
const HIDDEN = { assetId: "v9", assetName: "Car 9", assetType: "CAR", privacy: true };

const summary = async (args: Json, fleet: readonly Json[] = FLEET, env: Record<string, string> = {}) => {
  const service = await cannedService(({ operation }) => (operation === "listLivePositions" ? fleet : undefined));
  const tools = toolsOver(service, { FLEET_MAX_RESULT_TOKENS: "3000", ...env });
  return { ...(await tools.call(summarizeFleet, args)), service, tools };
};

it.each<[Json, number, string | undefined]>([
  [{}, 3, undefined],
  [{ group: "south" }, 2, "South (g0)"],
  [{ type: "truck" }, 2, "type truck"],
  [{ in: "France" }, 2, "those in France"],
  [{ group: "North", type: "truck", in: "Lyon" }, 1, "North (g1), type truck, those in Lyon, France"],
])("counts the vehicles of %j", async (args, vehicles, scope) => {
  const { structured } = await summary(args);
  expect([structured["vehicles"], structured["scope"]]).toEqual([vehicles, scope]);
});

const KINDS = "The whole fleet: types: TRUCK 2, VAN 1; energy: none.";
const SOLD = "For sold ones: list_live_positions, where status=SOLD.";
const COUNTRY = "The whole fleet by country: France 2, Germany 1.";
const WITHHELD = "Not counted: 1 on private journeys, whereabouts withheld.";

it.each<[Json, readonly Json[], string, Record<string, string>]>([
  [{ type: "boat" }, FLEET, `0 vehicles of type boat. ${KINDS} ${SOLD}`, {}],
  [{ type: "boat" }, FLEET, `0 vehicles of type boat. ${KINDS}`, { FLEET_TOOLS: "summarize_fleet" }],
  [{ in: "Spain" }, FLEET, `0 vehicles of those in Spain. ${COUNTRY}`, {}],
  [{ in: "Spain" }, [...FLEET, HIDDEN], `0 vehicles of those in Spain. ${WITHHELD} ${COUNTRY}`, {}],
  [
    { in: "Spain", type: "van" },
    [...FLEET, HIDDEN],
    `0 vehicles of type van, those in Spain. ${KINDS.replace("VAN 1", "VAN 1, CAR 1")} ${SOLD} ${COUNTRY}`,
    {},
  ],
])("says what exists if nothing matches %j", async (args, fleet, text, env) => {
  const result = await summary(args, fleet, env);
  expect(result.text).toBe(text);
  const [head, ...note] = text.split(". ");
  expect(result.structured).toEqual({ vehicles: 0, scope: head?.slice("0 vehicles of ".length), note: note.join(". ") });
});

it("says that vehicles on private journeys are in no country or city", async () => {
  const [{ text, structured }, { text: ofPlace }] = [
    await summary({}, [...FLEET, HIDDEN]),
    await summary({ in: "Lyon" }, [...FLEET, HIDDEN]),
  ];
  expect([text, structured["note"]]).toEqual([
    expect.stringContaining("Includes 1 on private journeys, in no country or city."),
    expect.stringContaining("Includes 1"),
  ]);
  expect(ofPlace).toContain(WITHHELD);
});

it.each<[Json, string[]]>([
  [{ list: "lowFuel" }, ["Truck 0", "Truck 1"]],
  [{ list: "lowFuel", fuelBelow: 10 }, ["Truck 0"]],
  [{ list: "lowFuel", group: "North" }, ["Truck 1"]],
  [{ list: "lowFuel", limit: 1 }, ["Truck 0"]],
])("lists the vehicles of one concern: %j", async (args, names) => {
  const { structured } = await summary(args);
  expect((structured["items"] as Json[]).map(({ assetName }) => assetName)).toEqual(names);
});

it("computes each summary of the same fleet once", async () => {
  const { tools, service, structured } = await summary({}, FLEET, { FLEET_SNAPSHOT_SECONDS: "60" });
  expect((await tools.call(summarizeFleet, {})).structured).toEqual(structured);
  for (const [args, vehicles] of [
    [{ group: "south" }, 2],
    [{ type: "van" }, 1],
    [{ in: "Lyon" }, 2],
  ] as const)
    expect((await tools.call(summarizeFleet, args)).structured["vehicles"]).toBe(vehicles);
  const concern = async (args: Json) =>
    ((await tools.call(summarizeFleet, args)).structured["concerns"] as { lowFuel: { total: number } }).lowFuel.total;
  expect([await concern({}), await concern({ fuelBelow: 10 })]).toEqual([2, 1]);
  expect(service.asked).toHaveLength(1);
});
