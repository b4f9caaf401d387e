import { expect, it } from "vitest";
import { stopLampsIn, withStopLamp } from "../../src/tools/stop-lamps.ts";
import { cannedService, toolsOver } from "../canned-service.ts";

const FAULTS: [fault: Record<string, unknown>, isLit: boolean][] = [
  [{ lamps: ["AMBER_WARNING", "RED_STOP"], inProgress: true }, true],
  [{ lamps: ["Stop"] }, true],
  [{ lamps: ["STOP"], inProgress: true, endDate: "2026-11-20T08:00:00Z" }, true],
  [{ lamps: ["STOP"], endDate: "2026-11-20T08:00:00Z" }, false],
  [{ lamps: ["STOP"], inProgress: false }, false],
  [{ lamps: ["AMBER_WARNING"], inProgress: true }, false],
  [{ lamps: [7], inProgress: true }, false],
  [{ lamps: "STOP", inProgress: true }, false],
  [{ inProgress: true }, false],
];

it.each(FAULTS)("the fault %j lights the stop lamp: %j", async (fault, isLit) => {
  expect(stopLampsIn([{ id: "v1", assetName: "Truck\n1", ...fault }])).toEqual(isLit ? ["Truck 1"] : []);
  const { lamps, ...rest } = fault;
  expect(await litAmong(["v1"], [{ id: "v1", faults: [{ ...rest, details: { lamps } }] }])).toEqual(isLit ? ["v1"] : []);
});

/** The vehicles whose lamp is lit, if the service returns these items for each of them. */
async function litAmong(vehicleIds: string[], items: unknown): Promise<string[]> {
  const { context } = toolsOver(await cannedService(() => ({ items })));
  return [...(await withStopLamp(vehicleIds, context))];
}

it("vehicles are named once, by their ids if they have no name", () => {
  const lit = { lamps: ["STOP"] };
  expect(
    stopLampsIn([
      { id: "v1", ...lit },
      { id: "v1", ...lit },
      { id: "v2", assetName: "x".repeat(50), ...lit },
    ]),
  ).toEqual(["v1", `${"x".repeat(39)}…`]);
});

it("a service may ignore the filter, or leave out the ids", async () => {
  const faults = [{ details: { lamps: ["STOP"] } }];
  expect(await litAmong(["v1", "v2"], [{ id: "v2", faults }, { id: "v1" }])).toEqual(["v2"]);
  expect(await litAmong(["v1"], [{ faults }])).toEqual(["v1"]);
  expect(await litAmong(["v1"], undefined)).toEqual([]);
});
