import type { Position } from "@fleetwire/tools/internal";

/** The vehicles that changed since an earlier read. */
export interface PositionChanges {
  /** Pass it to the next read. */
  version: string;
  /** Whether `vehicles` contains all vehicles, because the requested version is unknown. */
  complete: boolean;
  vehicles: readonly Position[];
  /** The total number of vehicles. If it differs after you apply the changes, some have left the fleet: read again without a version. */
  total: number;
}

/** Numbers positions in the order in which they are first seen. The view replaces a vehicle's position only when it has changed. */
export function positionVersions(epoch: string): (positions: readonly Position[], since: string | undefined) => PositionChanges {
  const versions = new WeakMap<Position, number>();
  let latest = 0;
  return (positions, since) => {
    const next = latest + 1;
    for (const position of positions) {
      if (versions.has(position)) continue;
      versions.set(position, next);
      latest = next;
    }
    const [from, number] = since?.split(".") ?? [];
    const known = from === epoch && /^\d+$/.test(String(number)) ? Number(number) : undefined;
    return {
      version: `${epoch}.${latest}`,
      complete: known === undefined,
      vehicles: known === undefined ? positions : positions.filter((position) => (versions.get(position) as number) > known),
      total: positions.length,
    };
  };
}
