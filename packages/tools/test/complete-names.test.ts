import { describe, expect, it } from "vitest";
import { FleetView } from "../src/fleet/fleet-view.ts";
import type { Position } from "../src/fleet/position.ts";
import { completeNames, type NameKind } from "../src/lookup/complete-names.ts";
import type { ToolContext } from "../src/writes/write-tool.ts";

async function viewOf(positions: readonly Position[]): Promise<FleetView> {
  const view = new FleetView();
  const update = view.update();
  for (const position of positions) update.add(position);
  await update.end();
  return view;
}

describe("completions", () => {
  const positions: Position[] = [
    {
      assetId: "1",
      assetName: "Truck 12",
      assetRegistration: "TR 7",
      driverName: "Émile Tran",
      assetGroupName: "South",
      driverGroupName: "East",
    },
    { assetId: "2", assetName: "Truck 2", assetRegistration: "", driverName: "Émile Tran" },
    { assetId: "3", assetName: "Old truck", assetRegistration: "XTR 9", assetGroupName: "South" },
    { assetId: "4", assetName: `Tractor\n${"x".repeat(60)}` },
  ];
  const reading = (read: ToolContext["reader"]["read"]) => ({ reader: { read }, callOptions: {} }) as unknown as ToolContext;
  const context = reading(() => viewOf(positions));

  it.each<[NameKind, string, string[]]>([
    ["vehicle", " TR", ["TR 7", `Tractor ${"x".repeat(51)}…`, "Truck 2", "Truck 12", "Old truck"]],
    ["vehicle", "x", ["XTR 9", `Tractor ${"x".repeat(51)}…`]],
    ["vehicle", "ractor", []],
    ["driver", "emi", ["Émile Tran"]],
    ["driver", "tra", ["Émile Tran"]],
    ["group", "", ["East", "South"]],
    ["vehicle", "old", ["Old truck"]],
  ])("of the %s %j are %j", async (kind, typed, names) => expect(await completeNames(kind, typed, context)).toEqual(names));

  it("are empty if the fleet cannot be read", async () => {
    expect(
      await completeNames(
        "vehicle",
        "t",
        reading(() => Promise.reject(new Error("no connection"))),
      ),
    ).toEqual([]);
  });
});
