import { loadFixtures, loadTable, type NamedFixture } from "@fleetwire/contract-tests";
import { describe, expect, it } from "vitest";
import { replayTools } from "./tool-check.ts";

const table = loadTable();
const fixtures = loadFixtures();
const token = fixtures.filter(({ id }) => id === "documented/request-access-token-granted");

/** A fixture with one wrong value, against which correct code fails. */
function altered(name: string, path?: string, value?: unknown): NamedFixture[] {
  const fixture = fixtures.find(({ id }) => id === `documented/${name}`);
  if (!fixture) throw new Error(`unknown fixture ${name}`);
  const copy = structuredClone(fixture);
  if (path !== undefined) {
    const parts = path.split(".");
    const last = parts.pop() ?? "";
    // biome-ignore lint/suspicious/noExplicitAny: the path leads through objects of any shape
    const holder: any = parts.reduce((inner: any, part) => inner[part], copy);
    if (value === undefined) delete holder[last];
    else holder[last] = value;
  }
  return [copy, ...token];
}

const problemsOf = ({ findings }: { findings: readonly { problem: string }[] }) => findings.map(({ problem }) => problem).join("\n");

describe("the tool check names what differs", () => {
  it("in the request, in a row, in a record and in a failure", async () => {
    const replay = await replayTools(
      [
        ...altered("create-job-address", "request.body.jobTitle", "Other"),
        ...altered("list-live-positions-by-vehicles", "expect.value.0.assetName", "Another"),
        ...altered("update-group-rename", "expect.value.name", "Another"),
        ...altered("update-group-name-taken", "expect.error.code", "rejected"),
      ],
      table,
    );
    const problems = problemsOf(replay);
    expect(problems).toContain('body.jobTitle is "Pick up", expected "Other"');
    expect(problems).toMatch(/assetName of row 0 is "[^"]+", expected "Another"/);
    expect(problems).toMatch(/group\.name is "[^"]+", expected "Another"/);
    expect(problems).toContain("the tool fails with: conflict:");
  });
});

describe("the tool check skips a call", () => {
  it("with an argument that the tool does not take", async () => {
    const replay = await replayTools(altered("list-live-positions-by-vehicles", "call.colour", "red"), table);
    expect(replay).toMatchObject({ checked: 0, findings: [] });
    expect(replay.skips[0]?.reason).toBe("list_live_positions does not take colour");
  });
});

describe("the tool check accepts recordings of a deployment", () => {
  it("that hides a speed and has a vehicle on a private journey", async () => {
    const [recorded] = altered("list-live-positions-speed-hidden", "response.body.0.privacy", true);
    const [hidden] = altered("list-live-positions-speed-hidden", "expect.value.0.privacy", true);
    if (!recorded || !hidden) throw new Error("no such fixture");
    const replay = await replayTools([{ ...recorded, expect: hidden.expect }, ...token], table);
    expect(problemsOf(replay)).toBe("");
    expect(replay.outputs.get(recorded.id)).toMatchObject({
      note: expect.stringContaining("Whereabouts on private journeys are withheld."),
    });
  });

  it("without the live positions with which a tool names drivers", async () => {
    const replay = await replayTools(altered("query-tacho-activity-day"), table);
    expect(replay).toMatchObject({ checked: 1, findings: [] });
  });
});
