import { expect, it } from "vitest";
import { cannedFleet } from "../canned-fleet.ts";
import { servedFleet } from "../served-fleet.ts";

const AGAIN = "Ask the user, then call again with the full name or the text in brackets as";

const fleetOf = (...names: string[]) => names.map((assetName, at) => ({ assetId: `v${at}`, assetName, date: "2026-11-20T08:00:00Z" }));
const lettered = (letters: string) => fleetOf(...[...letters].map((letter) => `Truck ${letter}`));
const cells = (letters: string) => [...letters].map((letter, at) => `Truck ${letter} (v${at})`).join("; ");

it.each<[what: string, fleet: object[], query: string, question: string, note: string, shown: number, total?: number]>([
  ["several", lettered("AB"), "truck", `2 vehicles match "truck". Which one: ${cells("AB")}?`, AGAIN, 2, 2],
  ["up to eight", lettered("ABCDEFGH"), "truck", `8 vehicles match "truck". Which one: ${cells("ABCDEFGH")}?`, AGAIN, 8, 8],
  [
    "the first four of more",
    lettered("ABCDEFGHI"),
    "truck",
    `9 vehicles match "truck". Which one: ${cells("ABCD")}; and 5 more?`,
    AGAIN,
    4,
    9,
  ],
  ["one alike", fleetOf("Truck 48213"), "truck 48231", 'No vehicle matches "truck 48231". Did you mean Truck 48213 (v0)?', AGAIN, 1],
  [
    "some alike",
    fleetOf("Truck 48213", "Truck 48312"),
    "truck 48231",
    'No vehicle matches "truck 48231". Did you mean one of these: Truck 48213 (v0); Truck 48312 (v1)?',
    AGAIN,
    2,
  ],
  ["none alike", lettered("AB"), "zeppelin", 'No vehicle matches "zeppelin". What is the ', "Ask the user, then call again with it as", 0],
  ["a long name", lettered("AB"), `x\n${"y".repeat(90)}`, `No vehicle matches "x ${"y".repeat(57)}…". What is the `, "Ask the user", 0],
])("a name asks about %s", async (_, fleet, query, question, note, shown, total) => {
  const { call, record } = await servedFleet({ script: { listLivePositions: () => ({ body: fleet }) } });
  const { text } = await call("locate_vehicle", { query });
  const asked = await record("locate_vehicle", { query });
  expect(asked.question).toContain(question);
  expect(asked.note).toContain(note);
  expect(text).toBe(`${asked.question} ${asked.note}`);
  expect([asked.result, asked.field, asked.candidates.length, asked.total]).toEqual([
    total ? "ambiguous" : "notFound",
    "query",
    shown,
    total,
  ]);
});

it("before a write, the question says that nothing was sent", async () => {
  const { text, service } = await servedFleet({ script: { listLivePositions: () => ({ body: lettered("AB") }) } });
  const asked = await text("create_job", { address: "Lyon", vehicleName: "truck" });
  expect(asked).toBe(`2 vehicles match "truck". Which one: ${cells("AB")}? Nothing was sent. ${AGAIN} vehicleName.`);
  expect(service.of("createJob")).toEqual([]);
});

it("as many candidates are named as fit the budget", async () => {
  const countWithin = async (budget: number) => {
    const script = { listLivePositions: () => ({ body: cannedFleet() }) };
    const { record } = await servedFleet({ script, env: { FLEET_MAX_RESULT_TOKENS: String(budget) } });
    return (await record("locate_vehicle", { query: "keller" })).candidates.length;
  };
  const counts = [await countWithin(5_000), await countWithin(250), await countWithin(200)];
  expect(counts[0]).toBeGreaterThan(counts[2] as number);
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
});
