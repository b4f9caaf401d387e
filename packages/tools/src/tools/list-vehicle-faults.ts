import { operations } from "@fleetwire/core";
import { isMoving } from "@fleetwire/core/internal";
import { readFleet } from "../fleet/fleet-reader.ts";
import { derivedTool } from "../query/derived-tool.ts";
import { heldShape } from "../query/vehicle-filter.ts";
import { singleLine } from "../text/clip-values.ts";

/**
 * The fields of a vehicle's live position, so that faults can be filtered and counted by the vehicle's type or town. Its status, that of
 * its ignition and the codes of its active faults are left out, because "active" and "status" mean whether a fault is still open.
 */
const { status: _, ignitionStatus: __, activeFaultCodes: ___, ...ofVehicle } = heldShape;

/** Whether a fault that has not ended lights the red lamp. The labels of lamps are undocumented; the red one is the only one that means stop. */
export const lightsStopLamp = ({ inProgress, endDate }: { inProgress?: unknown; endDate?: unknown }, lamps: unknown): boolean =>
  Boolean(inProgress ?? endDate === undefined) && Array.isArray(lamps) && lamps.some((lamp) => /stop/i.test(String(lamp)));

export const listVehicleFaults = derivedTool(operations.listVehicleFaults, {
  isOfVehicles: true,
  periodNote: "the service describes these dates as service due dates",
  // Listing lamps takes many tokens, but a red one decides whether a vehicle may leave.
  notesOn: (rows, fields) => {
    const dangerous = fields.includes("lamps") ? [] : rows.filter((row) => lightsStopLamp(row, row["lamps"]));
    const lit = [...new Set(dangerous.map(({ assetName, id }) => singleLine(String(assetName ?? id), 40)))];
    const endless = rows.filter(({ endDate }) => endDate === undefined);
    const saysOpen = fields.includes("inProgress") || !fields.includes("endDate") || endless.length === 0;
    return [
      ...(lit.length > 0 ? [`Red stop lamp: ${lit.join(", ")}.`] : []),
      ...(!saysOpen && endless.every(({ inProgress }) => inProgress === true) ? ["No endDate: still open."] : []),
    ];
  },
  addedFields: {
    shape: ofVehicle,
    add: async (rows, context) => {
      const { vehicles } = await readFleet(context);
      const now = context.now();
      return rows.map((row) => {
        const vehicle = vehicles.get(row["id"])?.value;
        return { ...vehicle, ...(vehicle && { moving: isMoving(vehicle, now) }), ...row };
      });
    },
  },
});
