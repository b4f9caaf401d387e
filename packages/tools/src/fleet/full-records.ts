import type { FleetContext } from "./fleet-context.ts";
import { latestOfEach, type Position, SOLD, speedInput } from "./position.ts";

/** Reads all fields of vehicles, of which the view of the fleet holds only some. A vehicle that cannot be read by id keeps only those. */
export async function fullRecords(positions: Position[], { fleet, settings, callOptions }: FleetContext): Promise<Position[]> {
  const vehicleIds = positions.flatMap(({ assetId }) => assetId || []);
  if (vehicleIds.length === 0) return positions;
  // Without this, the service leaves out sold vehicles.
  const showAllVehicleStatus = positions.some(({ status }) => status === SOLD);
  const input = { vehicleIds, ...speedInput(settings), ...(showAllVehicleStatus && { showAllVehicleStatus }) };
  const records = await fleet.listLivePositions(input, callOptions);
  const byId = new Map(latestOfEach(records).map((record) => [record.assetId, record]));
  return positions.map((position) => byId.get(position.assetId) ?? position);
}
