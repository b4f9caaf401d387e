import { type CallOptions, type FleetClient, FleetError, type VehicleFaults } from "@fleetwire/core";
import type { FleetToolsSettings } from "../model/settings.ts";
import type { ReadOptions } from "./cached-client.ts";
import type { FleetView } from "./fleet-view.ts";
import { type FleetRead, LiveView } from "./live-view.ts";
import { latestOfEach, type Position, SOLD, speedInput } from "./position.ts";
import { type SpanFields, withoutOddEnd } from "./spans.ts";

/** Provides views of the whole fleet as the masked client shows it, the only source for resolving names. */
export class FleetReader {
  readonly #current: LiveView;
  readonly #withSold: LiveView;

  constructor(fleet: FleetClient, settings: FleetToolsSettings, now: () => number) {
    this.#current = new LiveView(fleet, settings, now, false);
    this.#withSold = new LiveView(fleet, settings, now, true);
  }

  read(options: CallOptions, { withSold = false }: { withSold?: boolean } = {}): Promise<FleetRead> {
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
export async function readFleet(
  { reader, callOptions: { onRead, ...options } }: { reader: FleetReader; callOptions: ReadOptions },
  which?: { withSold?: boolean },
): Promise<FleetView> {
  const { view, age, failure } = await reader.read(options, which);
  onRead?.(age, failure);
  return view;
}

/** Reads all fields of vehicles, of which the view of the fleet holds only some. A vehicle that cannot be read by id keeps only those. */
export async function fullRecords(
  positions: Position[],
  { fleet, settings, callOptions }: { fleet: FleetClient; settings: { privacy: string }; callOptions: ReadOptions },
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

export type Fault = NonNullable<VehicleFaults["faults"]>[number];

const FAULT_SPAN: SpanFields = ["startDate", "endDate", "inProgress"];
const FAULTS_PER_PAGE = 200;

/** Returns a fault as it is understood: one without an end is in progress, unless the service says otherwise. */
export function faultAsMeant(sent: Fault): Fault {
  const fault = withoutOddEnd(sent, FAULT_SPAN);
  return { ...fault, inProgress: fault.inProgress ?? fault.endDate === undefined };
}

/** Reads all faults of a vehicle, each once, even if it is on two pages. */
export async function faultsOfVehicle(
  vehicleId: string,
  { fleet, callOptions }: { fleet: FleetClient; callOptions: ReadOptions },
): Promise<Fault[]> {
  const faults = new Map<string, Fault>();
  for await (const { items = [] } of fleet.listVehicleFaults.pages({ vehicleId, pageSize: FAULTS_PER_PAGE }, callOptions)) {
    // A service may ignore the filter.
    const own = items.filter(({ id = vehicleId }) => id === vehicleId).flatMap((vehicle) => vehicle.faults ?? []);
    for (const sent of own) faults.set(JSON.stringify(sent), faultAsMeant(sent));
  }
  return [...faults.values()];
}
