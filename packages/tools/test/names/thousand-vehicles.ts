import { createFleetClient, fleetConfigFromEnv, type LivePosition } from "@fleetwire/core";
import { createSandbox } from "@fleetwire/sandbox";
import {
  driverNaming,
  driversIn,
  groupNaming,
  groupsIn,
  NameIndex,
  placeNaming,
  placesIn,
  resolveName,
  vehicleNaming,
} from "../../src/names/index.ts";

/** The fleet described in evaluation/README.md, without sold vehicles, as the resolver sees it. */
export async function thousandVehicles() {
  const sandbox = createSandbox({ seed: 1, vehicles: 1_000, clock: () => Date.UTC(2026, 10, 17, 9) });
  const fleet = createFleetClient({ ...fleetConfigFromEnv(sandbox.env), fetch: sandbox.fetch });
  const positions: LivePosition[] = await fleet.listLivePositions();
  const [vehicles, drivers] = [new NameIndex(vehicleNaming), new NameIndex(driverNaming)];
  const [groups, places] = [new NameIndex(groupNaming), new NameIndex(placeNaming)];
  for (const position of positions) vehicles.set(position.assetId, position);
  for (const [id, driver] of await driversIn(positions)) drivers.set(id, driver);
  for (const [id, group] of await groupsIn(positions)) groups.set(id, group);
  for (const [id, place] of await placesIn(positions)) places.set(id, place);
  return {
    positions,
    vehicle: (query: string) => answerFrom(query, vehicles, ({ assetId }) => assetId),
    driver: (query: string) => answerFrom(query, drivers, ({ driverId }) => driverId),
    group: (query: string) => answerFrom(query, groups, ({ id }) => id),
    location: (query: string) => answerFrom(query, places, ({ id }) => id),
  };
}

/** The id of the entity found, or of those that a question offers. */
export interface Answer {
  result: "found" | "ambiguous" | "notFound";
  found?: string;
  candidates: string[];
}

async function answerFrom<Value>(query: string, index: NameIndex<Value>, idOf: (value: Value) => string | undefined): Promise<Answer> {
  const resolution = await resolveName(query, index);
  const { result } = resolution;
  if (resolution.result === "found") return { result, found: String(idOf(resolution.match.value)), candidates: [] };
  const values = resolution.result === "ambiguous" ? resolution.matches.map(({ value }) => value) : await resolution.nearest();
  return { result, candidates: values.map((value) => String(idOf(value))) };
}
