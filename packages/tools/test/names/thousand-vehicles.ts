import { readFileSync } from "node:fs";
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

function positions(): object[] {
  const [columns = [], ...rows] = readFileSync(new URL("../../evaluation/fleet.tsv", import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
  const cell = (column: string, text = "") =>
    column === "privacy" ? text === "true" : text === "" ? undefined : column.endsWith("itude") ? Number(text) : text;
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, cell(column, row[at])])));
}

/** The fleet described in evaluation/README.md, as the resolver sees it. */
export const thousandVehicles = (): Promise<Fleet> => (fleet ??= create());

async function create(): Promise<Fleet> {
  const origin = "http://127.0.0.1:9";
  const credentials = { FLEET_CUSTOMER_ID: "customer", FLEET_CLIENT_ID: "client", FLEET_CLIENT_SECRET: "secret" };
  const config = fleetToolsConfigFromEnv({ ...credentials, FLEET_BASE_URL: origin, FLEET_TACHO_URL: origin, FLEET_JOB_URL: origin });
  const tools = createFleetTools({ ...config, fetch: async () => Response.json(positions()) });
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
