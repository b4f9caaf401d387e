import { operations } from "@fleetwire/core";
import { isMoving } from "@fleetwire/core/internal";
import { readFleet } from "../fleet/fleet-reader.ts";
import { derivedTool } from "../query/derived-tool.ts";
import { heldShape } from "../query/vehicle-filter.ts";
import { stopLampsIn } from "./stop-lamps.ts";

/**
 * The fields of a vehicle's live position, so that faults can be filtered and counted by the vehicle's type or town. Its status, that of
 * its ignition and the codes of its active faults are left out, because "active" and "status" mean whether a fault is still open.
 */
const { status: _, ignitionStatus: __, activeFaultCodes: ___, ...ofVehicle } = heldShape;

export const listVehicleFaults = derivedTool(operations.listVehicleFaults, {
  isOfVehicles: true,
  periodNote: "the service describes these dates as service due dates",
  // Listing lamps takes many tokens, but a red one decides whether a vehicle may leave.
  notesOn: (rows, fields) => {
    const lit = fields.includes("lamps") ? [] : stopLampsIn(rows);
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
