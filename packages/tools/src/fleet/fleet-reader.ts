import { FleetError } from "@fleetwire/core";
import type { FleetToolsSettings } from "../model/settings.ts";
import type { ReadOptions } from "./cached-client.ts";
import type { FleetView } from "./fleet-view.ts";
import { LiveView } from "./live-view.ts";
import type { ToolClient } from "./masked-client.ts";
import { latestOfEach, type Position, SOLD, speedInput } from "./position.ts";

/** Provides views of the whole fleet as the masked client shows it, the only source for resolving names. */
export class FleetReader {
  readonly #current: LiveView;
  readonly #withSold: LiveView;

  constructor(fleet: ToolClient, settings: FleetToolsSettings, now: () => number) {
    this.#current = new LiveView(fleet, settings, now, false);
    this.#withSold = new LiveView(fleet, settings, now, true);
  }

  read({ withSold = false }: { withSold?: boolean }, options: ReadOptions): Promise<FleetView> {
    return (withSold ? this.#withSold : this.#current).read(options);
  }

  /** See {@link LiveView.watch}. */
  watch(onList: (view: FleetView) => void): () => void {
    return this.#current.watch(onList);
  }

  /** See {@link LiveView.ageInUse}. */
  get ageInUse(): number | undefined {
    return this.#current.ageInUse;
  }

  /** Makes later questions wait for a list requested after this call, because a write may have changed the fleet. */
  invalidate(): void {
    this.#current.invalidate();
    this.#withSold.invalidate();
  }
}

/** Reads the whole fleet; with `withSold`, including vehicles that are no longer in it. */
export const readFleet = (
  { reader, callOptions }: { reader: FleetReader; callOptions: ReadOptions },
  view: { withSold?: boolean } = {},
): Promise<FleetView> => reader.read(view, callOptions);

/** Reads all fields of vehicles, of which the view of the fleet holds only some. A vehicle that cannot be read by id keeps only those. */
export async function fullRecords(
  positions: Position[],
  { fleet, settings, callOptions }: { fleet: ToolClient; settings: { privacy: string }; callOptions: ReadOptions },
): Promise<Position[]> {
  const vehicleIds = positions.flatMap(({ assetId }) => assetId || []);
  if (vehicleIds.length === 0) return positions;
  // Without this, the service leaves out sold vehicles.
  const showAllVehicleStatus = positions.some(({ status }) => status === SOLD);
  const input = { vehicleIds, ...speedInput(settings), ...(showAllVehicleStatus && { showAllVehicleStatus }) };
  const records = await fleet.listLivePositions(input, callOptions);
  const byId = new Map(latestOfEach(records).map((record) => [record.assetId, record]));
  return positions.map((position) => byId.get(position.assetId) ?? position);
}

/** Reads what a result can do without: returns undefined if the service fails, but not if the caller cancels. */
export async function ifReadable<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof FleetError) || error.code === "aborted") throw error;
    return undefined;
  }
}
