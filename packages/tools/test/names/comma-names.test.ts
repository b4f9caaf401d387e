import { expect, it } from "vitest";
import { servedFleet, tachoRecords } from "../served-fleet.ts";

const at = (number: number, assetName: string, driverName: string, more: object = {}) => ({
  ...{ assetId: `v${number}`, assetName, assetRegistration: `REG v${number}`, driverId: `p${number}`, driverName },
  ...{ assetGroupId: "g1", assetGroupName: "Lyon Vans", driverGroupId: "g1", driverGroupName: "Lyon Vans", ...more },
});

const FLEET = [
  ...[
    at(1, "Truck 12", "Kowalski, Jan"),
    at(2, "Truck 13", "Kowalski, Piotr"),
    at(3, "Van, 7", "Anna Nowak"),
    at(4, "Van, 8", "Anna Nowak"),
  ],
  at(5, "Truck 14", "Nowak, Jan", { assetGroupId: "g2", assetGroupName: "Paris, Vans" }),
];

const serve = (body = FLEET) =>
  servedFleet({ script: { listLivePositions: () => ({ body }), listJobs: () => ({ body: { jobs: [] } }), ...tachoRecords([]) } });

/** Arguments of tools that take a driver. */
const WITH_DRIVER: [tool: string, argument: string, args: object][] = [
  ["driver_hours", "driver", {}],
  ["list_live_positions", "driver", {}],
  ["update_group", "drivers", { group: "g1", dryRun: true }],
  ["create_job", "personName", { address: "Lyon", dryRun: true }],
];

/** What a call says if it did not find what its names refer to. */
async function missed({ call }: Awaited<ReturnType<typeof serve>>, tool: string, args: object): Promise<string | undefined> {
  const { ok, structured, text } = await call(tool, { ...args });
  const { result } = structured as { result?: string };
  return ok && result !== "ambiguous" && result !== "notFound" ? undefined : text;
}

const NAMES = "Kowalski, Jan|Jan Kowalski|kowalski,jan|Anna Nowak (p3)|Anna Nowak (p3), drives Van, 7|Anna Nowak (Van, 7; Lyon Vans)";

it.each(WITH_DRIVER)("%s finds a driver with a comma in the name, and by the labels of questions", async (tool, argument, args) => {
  const fleet = await serve();
  const missing = (name: string) => missed(fleet, tool, { ...args, [argument]: name });
  const question = await missing("Kowalski");
  const labels = /Which one: (.*)\? (?:Ask|Nothing)/.exec(question ?? "")?.[1]?.split(/; (?=Kow)/) ?? [];
  expect(labels).toHaveLength(2);
  for (const name of [...NAMES.split("|"), ...labels]) expect(await missing(name), name).toBeUndefined();
});

it.each<[string, string, object, string[]]>([
  ["locate_vehicle", "query", {}, ["Van, 7", "Van, 7 (REG v3), driver Anna Nowak"]],
  ["update_group", "vehicles", { group: "g2", dryRun: true }, ["Van, 7", "Van, 7 (REG v3), driver Anna Nowak"]],
  ["driver_hours", "group", {}, ["Paris, Vans", "Paris, Vans (g2)"]],
])("%s finds a %s with a comma in the name, and by its labels", async (tool, argument, args, names) => {
  const fleet = await serve();
  for (const name of names) expect(await missed(fleet, tool, { ...args, [argument]: name }), name).toBeUndefined();
});

it("a comma still separates drivers in a text that is no name", async () => {
  const { call } = await serve();
  const { text } = await call("driver_hours", { driver: "Anna Nowak, Jan Kowalski" });
  for (const name of ["Anna Nowak", "Kowalski, Jan"]) expect(text).toContain(name);
});

it("two drivers with the same comma in the name are asked about", async () => {
  const { question } = await serve([...FLEET, at(6, "Truck 15", "Kowalski, Jan")]);
  expect(await question("list_jobs", { driver: "Kowalski, Jan" })).toMatch(/^2 drivers match "Kowalski, Jan"\. Which one: /);
});
