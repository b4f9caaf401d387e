import { loadFixtures, loadInterface, type NamedFixture } from "@fleetwire/contract-tests";
import { beforeAll, describe, expect, it } from "vitest";
import { replayTools, type ToolReplay } from "./tool-check.ts";

const described = loadInterface();
const fixtures = loadFixtures();
const token = fixtures.filter(({ id }) => id === "documented/request-access-token-granted");

/** A fixture under a name of its own, with other values at some paths, against which correct code may fail. */
function altered(id: string, name: string, values: Readonly<Record<string, unknown>> = {}): NamedFixture {
  const fixture = fixtures.find((candidate) => candidate.id === `documented/${name}`);
  if (!fixture) throw new Error(`unknown fixture ${name}`);
  const copy = { ...structuredClone(fixture), id };
  for (const [path, value] of Object.entries(values)) {
    const parts = path.split(".");
    const last = parts.pop() ?? "";
    // biome-ignore lint/suspicious/noExplicitAny: the path leads through objects of any shape
    const holder: any = parts.reduce((inner: any, part) => inner[part], copy);
    holder[last] = value;
  }
  return copy;
}

const POSITIONS = "list-live-positions-by-vehicles";

let replay: ToolReplay;

// One replay, since each starts servers.
beforeAll(async () => {
  const all = [
    altered("request", "create-job-address", { "request.body.jobTitle": "Other" }),
    altered("row", POSITIONS, { "expect.value.0.assetName": "Another" }),
    altered("record", "update-group-rename", { "expect.value.name": "Another" }),
    altered("failure", "update-group-name-taken", { "expect.error.code": "rejected" }),
    altered("unknown argument", POSITIONS, { "call.colour": "red" }),
    altered("private", "list-live-positions-speed-hidden", { "response.body.0.privacy": true, "expect.value.0.privacy": true }),
    altered("drivers", "query-tacho-activity-day"),
  ];
  replay = await replayTools([...all, ...token], described);
}, 60_000);

const problemsOf = (id: string) =>
  replay.findings
    .filter(({ fixture }) => fixture === id)
    .map(({ problem }) => problem)
    .join("\n");
const skipOf = (id: string) => replay.skips.find(({ fixture }) => fixture === id)?.reason;

it.each([
  ["request", 'body.jobTitle is "Pick up", expected "Other"'],
  ["row", /assetName of row 0 is "[^"]+", expected "Another"/],
  ["record", /group\.name is "[^"]+", expected "Another"/],
  ["failure", "the tool fails with: conflict:"],
])("the tool check names what differs: %s", (id, expected) => {
  expect(problemsOf(id)).toMatch(expected);
});

it("the tool check skips a call with an argument that the tool does not take", () => {
  expect(problemsOf("unknown argument")).toBe("");
  expect(skipOf("unknown argument")).toBe("list_live_positions does not take colour");
});

describe("the tool check accepts recordings of a deployment", () => {
  it.each([
    ["that hides a speed and has a vehicle on a private journey", "private"],
    ["without the live positions with which a tool names drivers", "drivers"],
  ])("%s", (_, id) => {
    expect({ problems: problemsOf(id), skipped: skipOf(id) }).toEqual({ problems: "", skipped: undefined });
    expect(replay.outputs.has(id)).toBe(true);
  });

  it("and the result says that whereabouts are withheld", () => {
    expect(replay.outputs.get("private")).toMatchObject({
      note: expect.stringContaining("Whereabouts on private journeys are withheld."),
    });
  });
});
