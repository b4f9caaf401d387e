import type { DrivingTime, Range } from "@fleetwire/driving-time";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { faultAsMeant } from "../fleet/fleet-reader.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import type { Position } from "../fleet/position.ts";
import { driversByKey } from "../lookup/chosen-drivers.ts";
import { readHours } from "../past/driving-rules.ts";
import { hoursAndMinutes } from "../text/time.ts";
import type { SeenFault } from "./faults.ts";
import { type ResolvedRule, type RuleIndex, sourceOf } from "./rule-index.ts";
import type { Observed, SeenHours } from "./sightings.ts";

const PAGE_SIZE = 200;
/** So many vehicles are asked for one by one, more as one list. */
const MAX_SINGLE = 10;

type Faults = NonNullable<Observed["faults"]>;

/** Whether a rule that needs this list is about a vehicle or its driver. */
function isWatched(position: Position, index: RuleIndex, source: "faults" | "hours"): boolean {
  let isFound = false;
  index.eachFor(position, (rule) => {
    isFound ||= sourceOf(rule) === source;
  });
  return isFound;
}

/** Reads the faults in progress of the vehicles of these rules. */
export async function readFaults(index: RuleIndex, fleet: FleetView, context: FleetContext): Promise<Faults> {
  const rules: readonly ResolvedRule[] = index.from("faults");
  const ids = rules.flatMap(({ vehicleId }) => vehicleId ?? []);
  const isFew = ids.length === rules.length && new Set(ids).size <= MAX_SINGLE;
  const inputs = isFew ? [...new Set(ids)].map((vehicleId) => ({ vehicleId })) : [{}];
  // A vehicle without faults may be missing from the list, and its faults have ended.
  const found = new Map<string, SeenFault[]>();
  const { fleet: client, callOptions } = context;
  for (const input of inputs) {
    for await (const { items = [] } of client.listVehicleFaults.pages({ ...input, pageSize: PAGE_SIZE }, callOptions)) {
      for (const { id, faults = [] } of items) {
        if (id === undefined) continue;
        const seen = faults
          .map(faultAsMeant)
          .flatMap(({ code, details, inProgress }): SeenFault[] =>
            code !== undefined && inProgress ? [{ code, lamps: details?.lamps ?? [] }] : [],
          );
        found.set(id, [...(found.get(id) ?? []), ...seen]);
      }
    }
  }
  const watched = fleet.positions.filter((position) => isWatched(position, index, "faults"));
  return watched.map((position) => ({ position, faults: found.get(position.assetId ?? "") ?? [] }));
}

/** Returns what holds whatever a driver did since the last sign of life. */
function certainly(time: DrivingTime): DrivingTime {
  const only = ({ atMost }: Range): Range => ({ atLeast: atMost, atMost });
  const { left, sinceBreak, dailyRest } = time;
  return {
    ...time,
    left: { ...left, today: only(left.today) },
    sinceBreak: { ...sinceBreak, left: only(sinceBreak.left) },
    dailyRest: { ...dailyRest, by: only(dailyRest.by) },
  };
}

/** Reads the hours of the drivers of these rules. */
export async function readDriverHours(index: RuleIndex, fleet: FleetView, now: number, context: FleetContext): Promise<SeenHours[]> {
  const byKey = await driversByKey(fleet);
  const drivers = [...byKey.values()].filter(
    ({ driverId, vehicles: [vehicle] }) => driverId !== undefined && vehicle !== undefined && isWatched(vehicle, index, "hours"),
  );
  const isAll = index.from("hours").some(({ vehicleId, driverId, groupId }) => (vehicleId ?? driverId ?? groupId) === undefined);
  const { hours } = await readHours(isAll ? undefined : { drivers }, now, context);
  return hours.flatMap(({ record: { driverId }, time: read, isUnended }) => {
    const driver = byKey.get(driverId);
    if (!read || driverId === undefined || !driver) return [];
    const time = isUnended ? certainly(read) : read;
    const by = time.dailyRest.by.atLeast;
    const shown = {
      leftToday: hoursAndMinutes(time.left.today.atLeast),
      leftNow: hoursAndMinutes(time.sinceBreak.left.atLeast),
      ...(Number.isFinite(by) && { dailyRestBy: new Date(by).toISOString() }),
    };
    return [{ driver: { id: driverId, name: driver.driverName }, vehicle: driver.vehicles[0], time, shown }];
  });
}
