import { expect, it } from "vitest";
import { servedFleet } from "../served-fleet.ts";

const FLEET = [
  ...[{ assetName: "Truck 12", assetRegistration: "TR 7", driverName: "Émile Tran", assetGroupName: "South", driverGroupName: "East" }],
  ...[{ assetName: "Truck 2", assetRegistration: "", driverName: "Émile Tran" }],
  ...[{ assetName: "Old truck", assetRegistration: "XTR 9", assetGroupName: "South" }, { assetName: `Tractor\n${"x".repeat(60)}` }],
].map((vehicle, at) => ({ assetId: `v${at}`, ...vehicle }));

it.each([
  ["vehicle", " TR", ["TR 7", `Tractor ${"x".repeat(51)}…`, "Truck 2", "Truck 12", "Old truck"]],
  ["vehicle", "ractor", []],
  ["driver", "emi", ["Émile Tran"]],
  ["driver", "tra", ["Émile Tran"]],
  ["group", "", ["East", "South"]],
] as const)("completions of the %s %j are %j", async (kind, typed, names) => {
  const { tools } = await servedFleet({ script: { listLivePositions: () => ({ body: FLEET }) } });
  expect(await tools.completeNames(kind, typed)).toEqual(names);
});
