import { createSandbox } from "@fleetwire/sandbox";
import { contextOf, type Position, readFleet, resolveName } from "@fleetwire/tools/internal";
import { createFleetTools, fleetToolsConfigFromEnv } from "../../src/index.ts";

/** The id of the entity found, or of those that a question offers. */
export interface Answer {
  result: "found" | "ambiguous" | "notFound";
  found?: string;
  candidates: string[];
}

interface Fleet {
  positions: readonly Position[];
  /** Without those that a question about nothing found offers, unless told to. */
  vehicle: (query: string, offers?: boolean) => Promise<Answer>;
  driver: (query: string) => Promise<Answer>;
  group: (query: string) => Promise<Answer>;
  location: (query: string) => Promise<Answer>;
}

let fleet: Promise<Fleet> | undefined;

/** The fleet described in evaluation/README.md, without sold vehicles, as the resolver sees it. */
export const thousandVehicles = (): Promise<Fleet> => (fleet ??= create());

async function create(): Promise<Fleet> {
  const sandbox = createSandbox({ seed: 1, vehicles: 1_000, clock: () => Date.UTC(2026, 10, 17, 9) });
  const tools = createFleetTools({ ...fleetToolsConfigFromEnv(sandbox.env), fetch: sandbox.fetch });
  const view = await readFleet(contextOf(tools));
  const [drivers, groups, locations] = await Promise.all([view.drivers(), view.groups(), view.vehiclesAndLocations()]);
  return {
    positions: view.positions,
    vehicle: (query, offers = false) => answerFrom(query, view.vehicles, ({ assetId }) => assetId, offers),
    driver: (query) => answerFrom(query, drivers, ({ driverId }) => driverId),
    group: (query) => answerFrom(query, groups, ({ id }) => id),
    location: (query) => answerFrom(query, locations, (thing) => ("inside" in thing ? thing.id : thing.assetId)),
  };
}

async function answerFrom<Value>(
  query: string,
  index: Parameters<typeof resolveName<Value>>[1],
  idOf: (value: Value) => string | undefined,
  offers = true,
): Promise<Answer> {
  const resolution = await resolveName(query, index);
  const { result } = resolution;
  if (resolution.result === "found") return { result, found: String(idOf(resolution.match.value)), candidates: [] };
  if (result === "notFound" && !offers) return { result, candidates: [] };
  const values = resolution.result === "ambiguous" ? resolution.matches.map(({ value }) => value) : await resolution.nearest();
  return { result, candidates: values.map((value) => String(idOf(value))) };
}
