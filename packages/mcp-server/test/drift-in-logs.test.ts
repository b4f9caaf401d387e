import { expect, it } from "vitest";
import { fleetService } from "../../tools/test/served-fleet.ts";
import { run } from "./run-program.ts";
import { environmentOf } from "./server-under-test.ts";

const names = ["Jane Doe", "+49 177 1234567", "jane.doe@company.example", "KX21ABC", "janeDoe", "date", "speed.Jane"];

it("the log omits the names of undocumented fields", async () => {
  const oddly = Object.fromEntries(names.map((name) => [name, 1]));
  const body = [
    { ...oddly, eventType: "flying" },
    { "Jane Doe": 1, driverName: 3 },
  ];
  const { origin, received } = await fleetService({ listLivePositions: () => ({ body }) });
  const { stderr } = await run(["call", "list_live_positions", "{}"], { ...environmentOf(origin), FLEET_LOG: "warn" });
  const lines = stderr
    .trimEnd()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "drift from the contract");
  const drift: Record<string, unknown>[] = [
    { path: "$[*].(undocumented)", kind: "unknown field", count: 6 },
    { path: "$[*].date", kind: "wrong type", count: 1 },
    { path: "$[*].speed.(undocumented)", kind: "unknown field", count: 1 },
    { path: "$[*].eventType", kind: "unknown enum value", count: 1 },
    { path: "$[*].driverName", kind: "wrong type", count: 1 },
  ];
  expect(logged).toMatchObject([{ operation: "listLivePositions" }]);
  const byPath = (one: Record<string, unknown>, other: Record<string, unknown>) => String(one["path"]).localeCompare(String(other["path"]));
  expect(logged[0].drift.toSorted(byPath)).toEqual(drift.toSorted(byPath));
  expect(stderr).not.toMatch(/Jane|177|company|KX21|janeDoe/);
  expect(received[0]?.headers["user-agent"]).toMatch(/^fleetwire-mcp\/\d+\.\d+\.\d+/);
});
