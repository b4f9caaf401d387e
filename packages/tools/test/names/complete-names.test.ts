import { expect, it } from "vitest";
import { servedFleet } from "../served-fleet.ts";
import { vehiclesOf } from "./named-vehicles.ts";

const LONG = `Tractor\n${"x".repeat(60)}`;
const FLEET = ["Truck 12/TR 7/Émile Tran/South", "Truck 2//Émile Tran", "Old truck/XTR 9//South", LONG, "Car///East"];

it.each([
  ["vehicle", " TR", ["TR 7", `Tractor ${"x".repeat(51)}…`, "Truck 2", "Truck 12", "Old truck"]],
  ["vehicle", "ractor", []],
  ["driver", "emi", ["Émile Tran"]],
  ["driver", "tra", ["Émile Tran"]],
  ["group", "", ["East", "South"]],
] as const)("completions of the %s %j are %j", async (kind, typed, names) => {
  const { tools } = await servedFleet({ script: { listLivePositions: () => ({ body: vehiclesOf(FLEET) }) } });
  expect(await tools.completeNames(kind, typed)).toEqual(names);
});
