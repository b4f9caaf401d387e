import { expect, it } from "vitest";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { environmentOf } from "./server-under-test.ts";
import { start } from "./spawned-bin.ts";

const names = ["Jane Doe", "+49 177 1234567", "jane.doe@company.example", "KX21ABC", "janeDoe", "date", "speed.Jane"];

const oddly = Object.fromEntries(names.map((name) => [name, 1]));

it.each([
  [
    "in a record",
    [
      { ...oddly, eventType: "flying" },
      { "Jane Doe": 1, driverName: 3 },
    ],
    [
      { path: "$[*].(undocumented)", kind: "unknown field", count: 6 },
      { path: "$[*].date", kind: "wrong type", count: 1 },
      { path: "$[*].speed.(undocumented)", kind: "unknown field", count: 1 },
      { path: "$[*].eventType", kind: "unknown enum value", count: 1 },
      { path: "$[*].driverName", kind: "wrong type", count: 1 },
    ],
  ],
])("the log omits the names of undocumented fields: %s", async (_, body, drift) => {
  const { origin, received } = await fleetService({ listLivePositions: () => ({ body }) });
  const { child, ended } = start(["call", "list_live_positions", "{}"], { ...environmentOf(origin), FLEET_LOG: "warn" });
  child.stdin.end();
  const { stderr } = await ended;
  const lines = stderr
    .trimEnd()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  const logged = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "drift from the contract");
  expect(logged).toHaveLength(1);
  expect(logged[0].operation).toBe("listLivePositions");
  expect(logged[0].drift).toHaveLength(drift.length);
  expect(logged[0].drift).toEqual(expect.arrayContaining(drift));
  expect(stderr).not.toMatch(/Jane|177|company|KX21|janeDoe/);
  expect(received[0]?.headers["user-agent"]).toMatch(/^fleetwire-mcp\/\d+\.\d+\.\d+/);
});
