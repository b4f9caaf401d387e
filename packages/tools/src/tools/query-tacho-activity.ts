import { FleetError, operations, type TachoActivity, type TachoActivityPage } from "@fleetwire/core";
import * as z from "zod";
import { ACTIVITY_SPAN } from "../fleet/activity-words.ts";
import type { FleetContext, ReadTool } from "../fleet/fleet-context.ts";
import type { Driver } from "../fleet/fleet-names.ts";
import { ifReadable, readFleet } from "../fleet/fleet-reader.ts";
import { withoutOddEnd } from "../fleet/odd-end.ts";
import { PLACES_WITHHELD } from "../fleet/private-journeys.ts";
import {
  hasUsableKeys,
  isInVehicle,
  recordsByDriver,
  recordsOf,
  type TachoPeriod,
  type TachoRecord,
  tachoPeriod,
} from "../fleet/tacho-records.ts";
import {
  acceptedDrivers,
  type ChosenBy,
  chosenDrivers,
  driverArguments,
  driversByKey,
  listedDrivers,
  registeredVehicle,
  unplacedNote,
  vehicleArgument,
  withoutData,
} from "../lookup/chosen-drivers.ts";
import { derivedTool } from "../query/derived-tool.ts";
import { listResult } from "../query/list-result.ts";
import { acceptedRows, rowArguments, toolInput } from "../query/tool-input.ts";
import { readPeriod } from "../text/read-period.ts";
import { timesOf } from "../text/time.ts";
import { driverColumns } from "./driver-columns.ts";

const operation = operations.queryTachoActivity;

const DEFAULT_PERIOD = "last 24 hours";

interface Arguments extends ChosenBy {
  period?: string;
  startTime?: string;
  endTime?: string;
  cursor?: string;
}

const text = z.string();

/** The tool of the operation alone, with the field that {@link withNames} adds. */
const derivedWith = (notes: readonly string[]) =>
  derivedTool(operation, {
    moreFields: { driver: text, [PLACES_WITHHELD]: text },
    defaultFields: ["driver", "startTime", "endTime", "activity", "vehicleFriendlyName"],
    notes: [...notes, "The units of duration and distance are not documented."],
  });

const derived = derivedWith([]);

/** Returns the drivers in the live positions; none if these cannot be read, because activities are shown without names too. */
async function knownDrivers(context: FleetContext): Promise<ReadonlyMap<unknown, Driver>> {
  return (await ifReadable(async () => driversByKey(await readFleet(context)))) ?? new Map();
}

/**
 * Adds the driver's name to each entry, and removes ends that cannot be any, and activities that are not included: a service may find whole entries. An entry
 * with only a key is named by the other entries of its driver.
 */
function withNames(
  context: FleetContext,
  includes: (activity: TachoActivity) => boolean,
  records: readonly TachoRecord[] = [],
): FleetContext {
  const { fleet } = context;
  const { queryTachoActivity } = fleet;
  const query = async (...call: Parameters<typeof queryTachoActivity>): Promise<TachoActivityPage> => {
    const { data, ...page } = await queryTachoActivity(...call);
    const { nameOf } = driverColumns(await knownDrivers(context));
    const idByKey = new Map(
      [...recordsByDriver(data), ...records].flatMap(({ driverId, driverKeys }) => driverKeys.map((key) => [key, driverId])),
    );
    return {
      ...page,
      data: data.map(({ activities, ...entry }) => ({
        ...entry,
        driver: nameOf({ driverId: entry.driverId ?? idByKey.get(entry.driverKey ?? ""), driverKey: entry.driverKey }),
        ...(activities && { activities: activities.filter(includes).map((activity) => withoutOddEnd(activity, ACTIVITY_SPAN)) }),
      })),
    };
  };
  return { ...context, fleet: { ...fleet, queryTachoActivity: Object.assign(query, queryTachoActivity) } };
}

function periodOf({ period, startTime, endTime }: Arguments, { now, settings }: FleetContext): TachoPeriod {
  if (period === undefined && startTime !== undefined && endTime !== undefined) return { startTime, endTime };
  const { start, end } = readPeriod(period ?? DEFAULT_PERIOD, now(), settings.timeZone);
  return tachoPeriod(start, end);
}

/** Individual activities. Drivers and vehicles are named; the service finds them by driver key and registration. */
export const queryTachoActivity: ReadTool = {
  ...derived,
  ...toolInput(
    {
      period: text.min(1).optional().describe(`As in summarize_driver_activity; default ${DEFAULT_PERIOD}`),
      ...driverArguments,
      vehicle: vehicleArgument,
      ...rowArguments,
    },
    { ...derived.input.shape, ...acceptedRows, ...acceptedDrivers, period: text.min(1).optional() },
  ),
  run: async (args, context) => {
    const { driver, group, vehicle, ...others } = args as Arguments & Record<string, unknown>;
    const hasPeriod = ["period", "startTime", "endTime", "cursor"].some((name) => others[name] !== undefined);
    const given = hasPeriod ? others : { ...others, period: DEFAULT_PERIOD };
    const only = vehicle === undefined ? undefined : await registeredVehicle(vehicle, context);
    const asked = { ...given, ...(only && { registrations: [only.registration] }) };
    const inVehicle = only ? [only.note] : [];
    const includes = only ? isInVehicle(only.registration) : () => true;
    if (driver === undefined && group === undefined) return derivedWith(inVehicle).run(asked, withNames(context, includes));
    const chosenBy = { ...(driver !== undefined && { driver }), ...(group !== undefined && { group }) };
    const chosen = await chosenDrivers(chosenBy, await readFleet(context));
    const { wanted = { drivers: [] } } = chosen;
    const { drivers } = wanted;
    const period = periodOf(given, context);
    const { records, unplaced } = await recordsOf(wanted, period, period, context);
    const notes = [...chosen.notes, ...unplacedNote(unplaced), ...inVehicle];
    const keys = records.flatMap(({ driverKeys }) => driverKeys);
    if (!hasUsableKeys(records)) {
      throw new FleetError("input", "driver: the service has no valid driver key, so their entries cannot be requested", {
        advice: "Call summarize_driver_activity, or leave driver out",
      });
    }
    const named = driver === undefined ? [] : [`Only ${listedDrivers(drivers)}.`];
    if (keys.length > 0)
      return derivedWith([...named, ...notes]).run({ ...asked, driverKeys: keys }, withNames(context, includes, records));
    return listResult(
      {
        what: ["activity", "activities"],
        rows: [],
        total: 0,
        fields: [],
        defaultFields: [],
        next: () => undefined,
        notes: [...notes, ...withoutData(drivers, () => false, false)],
        times: timesOf(context),
      },
      {},
    );
  },
};
