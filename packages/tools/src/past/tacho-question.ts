import { FleetError } from "@fleetwire/core";
import { KNOWN_UNTIL, type TachoRecord } from "../fleet/activity-words.ts";
import { DRIVERS, type Driver, groupOf, labelWithVehicle, vehicleLabel, vehicleName } from "../fleet/entities.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import { FleetView } from "../fleet/fleet-view.ts";
import { type FoundDrivers, hasRecordIn, recordsOf, type WantedDrivers } from "../fleet/tacho-records.ts";
import { type ChosenBy, chosenDrivers, driversByKey } from "../lookup/chosen-drivers.ts";
import { type GivenNames, labelsOf, vehicleLabels, vehiclesNamed } from "../lookup/find-entities.ts";
import { singleLine } from "../text/clip-values.ts";
import { pluralize } from "../text/pluralize.ts";
import { type Period, periodOf, type Span } from "../text/read-period.ts";
import { plateOf } from "../text/spelling.ts";
import { timesOf, type ZonedTimes } from "../text/time.ts";

const [MAX_NAMED, MAX_LISTED] = [5, 8];

type Named = Pick<TachoRecord, "driverId" | "driverKey">;

/** Names drivers. Those who have been in no vehicle while this process ran have only an id. */
function driverNames(drivers: ReadonlyMap<unknown, Driver>, { seenDrivers }: FleetView) {
  const counts = new Map<string, number>();
  for (const { driverName = "" } of drivers.values()) counts.set(driverName, (counts.get(driverName) ?? 0) + 1);
  const plainNameOf = ({ driverId, driverKey }: Named) =>
    seenDrivers.nameOf(driverId, drivers) ?? `id ${singleLine(driverId ?? driverKey ?? "-", 30)}`;
  return {
    /** The name by the id or key that identifies a driver in activities. */
    driverName: (key: string) => singleLine(seenDrivers.nameOf(key, drivers) ?? (key === "" ? "unknown driver" : `id ${key}`), 40),
    /** The name, followed by vehicle and group if there is a namesake; for rows without these columns. */
    nameOf: (record: Named): string => {
      const driver = drivers.get(record.driverId);
      const hasNamesake = driver && (counts.get(driver.driverName ?? "") ?? 0) > 1;
      return hasNamesake ? labelWithVehicle(driver) : plainNameOf(record);
    },
    rowOf: (record: Named): Record<string, unknown> => {
      const driver = drivers.get(record.driverId);
      const [vehicle] = driver?.vehicles ?? [];
      const [name, group] = [vehicle && vehicleName(vehicle), driver && groupOf(driver)];
      return { driver: plainNameOf(record), vehicle: name, group, driverId: record.driverId };
    },
  };
}

/** Finds vehicles, sold ones included, by whose registrations the service finds their tachograph entries. */
async function registeredVehicles(vehicle: GivenNames, context: FleetContext) {
  const found = await vehiclesNamed(vehicle, await readFleet(context, { withSold: true }));
  const registrations = found.map((one) => {
    if (one.assetRegistration !== undefined) return one.assetRegistration;
    throw new FleetError("input", `vehicle: ${vehicleLabel(one)} has no registration, so its tachograph entries cannot be requested`, {
      advice: "Tell the user, or name its driver",
    });
  });
  const wanted = new Set(registrations.map(plateOf));
  return {
    registrations,
    // What the service returns without a registration is of those that were requested.
    activitiesIn: (records: readonly TachoRecord[]) =>
      records.flatMap(({ activities, ...record }): TachoRecord[] => {
        const inThem = activities.filter(({ assetRegistration: plate }) => plate === undefined || wanted.has(plateOf(plate)));
        return inThem.length > 0 ? [{ ...record, activities: inThem }] : [];
      }),
    /** Says which vehicles are meant and, of what was read of all their drivers, which have no activities. */
    notesOn: (records: readonly TachoRecord[], isOfAll: boolean) => {
      const plates = new Set(records.flatMap(({ activities }) => activities.map((one) => plateOf(one.assetRegistration ?? ""))));
      // What the service returns without a registration may be of any.
      const without = isOfAll && !plates.has("") ? found.filter((one) => !plates.has(plateOf(one.assetRegistration ?? ""))) : [];
      return [
        `Only activities in ${vehicleLabels(found)}.`,
        ...(without.length > 0 ? [`Vehicles without tachograph activities: ${vehicleLabels(without)}.`] : []),
      ];
    },
  };
}

/** Lists drivers, the first few if there are many. */
export const listedDrivers = (drivers: readonly Driver[]): string => labelsOf(drivers, labelWithVehicle, MAX_LISTED);

/** Says which of the chosen drivers have no tachograph data, or only how many if all drivers are meant. */
export function withoutData(drivers: readonly Driver[], records: readonly TachoRecord[], isAll: boolean): string[] {
  const hasRecord = hasRecordIn(records);
  const without = drivers.filter((driver) => !hasRecord(driver));
  if (without.length === 0) return [];
  if (isAll) return [`Without tachograph activities: ${without.length} of the ${drivers.length} drivers in the live positions.`];
  const of = drivers.length > 1 ? ` These are ${without.length} of ${drivers.length}.` : "";
  return [`Drivers without tachograph activities: ${listedDrivers(without)}.${of}`];
}

/** Says whose activities nobody ended, and since when it is unknown what these drivers did. */
export function unendedNotes(records: readonly TachoRecord[], nameOf: (record: TachoRecord) => string, { text }: ZonedTimes): string[] {
  const since = records.flatMap((record) => {
    const [until] = record.activities.flatMap(({ [KNOWN_UNTIL]: known }) => known ?? []).toSorted((a, b) => b - a);
    return until === undefined ? [] : [`${singleLine(nameOf(record), 40)} ${text(until)}`];
  });
  if (since.length === 0) return [];
  return [`Recorded as in progress, but unknown since the last sign of life: ${labelsOf(since, String, MAX_NAMED)}.`];
}

/** Reads a period, or takes over what a cursor carried; throws if it is yet to come. */
export function pastPeriod(text: string, carried: readonly unknown[] | undefined, context: FleetContext): Period {
  const period = periodOf(text, carried, timesOf(context), context.settings.timeZone);
  if (period.start < context.now()) return period;
  throw new FleetError("input", `period: ${period.text} is in the future`, { advice: "Pass a past period" });
}

/** A question about what tachographs recorded: of whom, and what to call them. */
export interface TachoQuestion extends ReturnType<typeof driverNames> {
  fleet: FleetView;
  /** Undefined if all drivers are meant. */
  wanted: WantedDrivers | undefined;
  /** How names were understood. */
  understood: readonly string[];
  read: (period: Span) => Promise<FoundDrivers>;
  /** Notes on what was read: of whom it is, who is left out or has no data, and what has no end. `recorded` are the records with data. */
  notesOn: (found: FoundDrivers, recorded?: readonly TachoRecord[]) => string[];
}

interface AskedOf extends ChosenBy {
  driverKeys?: string[] | undefined;
  registrations?: string[] | undefined;
  /** Only activities in these vehicles count; `vehicle` asks for their current drivers. */
  inVehicle?: GivenNames | undefined;
}

/** Finds out what is asked; throws a `NameQuestion` if a name is uncertain. Where names only add to rows, live positions may be unreadable. */
export async function tachoQuestion(asked: AskedOf, context: FleetContext, areNamesNeeded = true): Promise<TachoQuestion> {
  const { driver, group, vehicle, inVehicle, driverKeys, registrations } = asked;
  const only = inVehicle === undefined ? undefined : await registeredVehicles(inVehicle, context);
  const isOfSome = [driver, group, vehicle].some((names) => names !== undefined);
  const read = () => readFleet(context);
  const fleet = isOfSome || areNamesNeeded ? await read() : ((await ifReadable(read)) ?? new FleetView());
  const { wanted, notes: understood } = await chosenDrivers(asked, fleet);
  const everyone = await driversByKey(fleet);
  const names = driverNames(everyone, fleet);
  const requested = only?.registrations ?? registrations;
  const filter = { ...(driverKeys && { driverKeys }), ...(requested && { registrations: requested }) };
  // Most drivers have nothing to do with a vehicle.
  const isLimited = Object.keys(filter).length > 0;
  return {
    ...{ ...names, fleet, wanted, understood },
    read: async (period) => {
      const { records, unplaced } = await recordsOf(wanted, period, context, { filter });
      return { records: only?.activitiesIn(records) ?? records, unplaced };
    },
    notesOn: ({ records, unplaced }, recorded = records) => [
      ...understood,
      ...(only?.notesOn(records, !wanted) ?? []),
      ...(unplaced === 0
        ? []
        : [
            `Left out: ${pluralize(unplaced, DRIVERS.noun)} who cannot be placed in a group, because live positions have neither them nor their vehicles.`,
          ]),
      ...(isLimited && !wanted ? [] : withoutData(wanted?.drivers ?? [...everyone.values()], recorded, !wanted)),
      ...unendedNotes(records, names.nameOf, timesOf(context)),
    ],
  };
}
