import { operations } from "@fleetwire/core";
import { isLaterPosition } from "@fleetwire/core/internal";
import { vehicleLabel } from "../fleet/entities.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { fullRecords, readFleet } from "../fleet/fleet-reader.ts";
import { impossiblePoint, latestOfEach, type Position, SOLD, speedInput } from "../fleet/position.ts";
import { derivedTool } from "../query/derived-tool.ts";
import { heldShape, withMoving } from "../query/vehicle-filter.ts";

/** What the service may filter by, and the field of a record that holds it. */
const FILTERS = { driverIds: "driverId", groupIds: "assetGroupId" } as const;

/**
 * Returns the latest record of each vehicle. A filter may select another one, such as the one before a private journey, so those that the view of the fleet has
 * later records of are read again.
 */
async function latestRecords(rows: readonly Position[], input: Readonly<Record<string, unknown>>, context: FleetContext) {
  const latest = latestOfEach(rows);
  const filtered = Object.entries(FILTERS).flatMap(([filter, field]) => (input[filter] === undefined ? [] : [field]));
  if (filtered.length === 0) return latest;
  const { vehicles } = await readFleet(context, { withSold: true });
  const outdated = latest.filter((row) => {
    const known = vehicles.get(row.assetId)?.value;
    return known !== undefined && isLaterPosition(known, row);
  });
  if (outdated.length === 0) return latest;
  const read = new Map((await fullRecords(outdated, context)).map((row) => [row.assetId, row]));
  return latest.flatMap((row) => {
    const current = read.get(row.assetId) ?? row;
    return filtered.every((field) => current[field] === row[field]) ? [current] : [];
  });
}

function soldNotes(rows: readonly Position[]): string[] {
  const sold = rows.filter(({ status }) => status === SOLD);
  if (sold.length === 0) return [];
  if (sold.length > 1 && sold.length === rows.length) return ["All of these are sold, no longer in the fleet."];
  return [`Sold, no longer in the fleet: ${sold.map((row) => vehicleLabel(row)).join(", ")}.`];
}

/** An address may be older than an invalid position. */
function invalidPositionNotes(rows: readonly Position[]): string[] {
  const invalid = rows.filter((row) => impossiblePoint(row) !== undefined);
  return invalid.length === 0 ? [] : [`No valid position, perhaps an old address: ${invalid.map((row) => vehicleLabel(row)).join(", ")}.`];
}

const isHeld = (field: string) => Object.hasOwn(heldShape, field);

export const listLivePositions = derivedTool(operations.listLivePositions, {
  fixedInput: speedInput,
  oneOfEach: latestRecords,
  isOfVehicles: true,
  addedFields: {
    shape: { moving: heldShape.moving },
    add: async (rows, { now }) => withMoving(rows, now()),
  },
  // Without this, the service leaves out sold vehicles.
  inputFor: (used, { named }) =>
    used.includes("status") || Object.values(named).some((values) => values.some(({ isSold }) => isSold))
      ? { showAllVehicleStatus: true }
      : {},
  notesOn: (rows, fields) => [...(fields.includes("status") ? [] : soldNotes(rows)), ...invalidPositionNotes(rows)],
  readRows: async ({ resolved, others, asked }, used, context) => {
    const isWhole = Object.keys(resolved.input).length === 0 && Object.keys(others).length === 0;
    if (!isWhole || !used.every(isHeld)) return undefined;
    const { positions } = await readFleet(context, { withSold: used.includes("status") });
    // Fields that the view does not hold are read by id.
    return (asked.fields ?? []).every(isHeld) || positions.every(({ assetId }) => assetId) ? positions : undefined;
  },
  complete: async (rows, fields, context) => {
    if (fields.every(isHeld)) return rows;
    return withMoving(await fullRecords(rows, context), context.now());
  },
});
