import type { ProbeContext } from "./operation.ts";
import type { LivePosition } from "./schemas/live-position.ts";
import { Identifier } from "./schemas/scalars.ts";

type IdField = "assetId" | "driverId" | "assetGroupId";

/** Builds the context for probes from live positions, using the first valid id of each kind. */
export function probeContextOf(positions: readonly LivePosition[], now: Date): ProbeContext {
  const idIn = (field: IdField) => positions.map((position) => position[field]).find((id) => Identifier.safeParse(id).success);
  const [vehicleId, driverId, groupId] = [idIn("assetId"), idIn("driverId"), idIn("assetGroupId")];
  return { now, ...(vehicleId && { vehicleId }), ...(driverId && { driverId }), ...(groupId && { groupId }) };
}
