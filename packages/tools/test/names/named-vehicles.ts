import type { Position } from "../canned-fleet.ts";
import { servedFleet } from "../served-fleet.ts";

/** Vehicles as "name/registration/driver/group", of which all but the name may be missing. */
export const vehiclesOf = (fleet: readonly string[]): Position[] =>
  fleet.map((vehicle, at) => {
    const [assetName, assetRegistration, driverName, assetGroupName] = vehicle.split("/").map((text) => text || undefined);
    return { assetId: `id${at}`, assetName, assetRegistration, driverName, assetGroupName } as Position;
  });

interface Named {
  assetId?: string;
  assetName?: string;
}

/**
 * How locate_vehicle answers for a fleet: the vehicle found, by what and whether spelt differently ("~"); "?" and the vehicles of an ambiguous query; "!"
 * and those nearest to an unknown one.
 */
export async function locator(fleet: readonly Position[]): Promise<(query: string) => Promise<string>> {
  const { record } = await servedFleet({ script: { listLivePositions: () => ({ body: fleet }) } });
  const nameOf = ({ assetName, assetId = "-" }: Named) => assetName ?? assetId;
  return async (query) => {
    const { result, vehicle, matchedBy, respelt, candidates = [] } = await record("locate_vehicle", { query });
    if (result === "found") return `${nameOf(vehicle)}${matchedBy ? ` by ${matchedBy}` : ""}${respelt ? " ~" : ""}`;
    return `${result === "ambiguous" ? "?" : "!"} ${candidates.map(nameOf).join(", ")}`.trim();
  };
}

export const located = async (query: string, fleet: readonly Position[]) => (await locator(fleet))(query);
