import { FleetError, operations, type TachoDriver } from "@fleetwire/core";
import * as z from "zod";
import { type DriverTime, driverTimes } from "../aggregate/driver-times.ts";
import { PERIOD, type Period, readPeriod } from "../aggregate/period.ts";
import { DEFAULT_LIMIT, type ListArguments, listArguments, toolInput } from "../arguments/tool-input.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { tachoEntries } from "../fleet/tacho-entries.ts";
import type { Driver } from "../names/fleet-names.ts";
import { driverLabel, vehicleLabel } from "../names/labels.ts";
import { resolveName } from "../names/resolve-name.ts";
import { DRIVERS, requireMatch } from "../names/single-match.ts";
import { singleLine } from "../results/clip-values.ts";
import { readCursor } from "../results/cursor.ts";
import { rowsAfter } from "../results/keyset.ts";
import { listOutputSchema, listResult, type Row } from "../results/list-result.ts";
import { pluralize } from "../results/pluralize.ts";
import { quotation } from "../results/quotation.ts";
import { durationInWords, timesOf } from "../results/time.ts";
import type { ReadTool, ToolContext } from "../tool.ts";

interface Arguments extends ListArguments {
  period: string;
  driver?: string;
}

const shownTypes = {
  driverName: { type: "string" },
  driverId: { type: "string" },
  activity: { type: "string" },
  time: { type: "string" },
  entries: { type: "integer" },
  first: { type: "string" },
  last: { type: "string" },
  open: { type: "boolean", description: "In progress; counted up to now" },
};

const rowTypes = { ...shownTypes, seconds: { type: "integer" }, driverKey: { type: "string" } };

interface DriverMatch {
  driver: Driver;
  /** Set if the driver was found through a vehicle. */
  note?: string;
}

/** Finds a driver by name or id, or as the current driver of a vehicle. */
async function findDriver(query: string, fleet: FleetView): Promise<DriverMatch> {
  const naming = { ...DRIVERS, field: "driver" };
  const vehicle = resolveName(query, fleet.vehicles);
  const isFoundByVehicle = vehicle.result === "found" && vehicle.match.matchedBy !== "driver" && !vehicle.match.respelt;
  if (isFoundByVehicle && resolveName(query, await fleet.drivers()).result === "notFound" && vehicle.match.value.driverId !== undefined) {
    const driver = requireMatch(vehicle.match.value.driverId, await fleet.drivers(), naming).value;
    return { driver, note: `${driverLabel(driver)} drives ${vehicleLabel(vehicle.match.value)} now.` };
  }
  return { driver: requireMatch(query, await fleet.drivers(), naming).value };
}

const DRIVER_KEYS = operations.queryTachoActivity.body?.["driverKeys"];

/**
 * Returns the entries of one driver. They can be requested only by driver key, so the key is looked up in the entries of the driver's
 * current vehicles or, failing that, all entries are read.
 */
async function entriesOf(driver: Driver, query: { startTime: string; endTime: string }, context: ToolContext): Promise<TachoDriver[]> {
  if (driver.driverId === undefined) {
    throw new FleetError(
      "input",
      `driver: the live positions have no id for ${quotation(driverLabel(driver))}, so their tachograph entries cannot be found`,
      { advice: "Tell the user, or leave driver out and look for their entries in the full list" },
    );
  }
  const isTheirs = ({ driverId }: TachoDriver) => driverId === driver.driverId;
  const registrations = driver.vehicles.flatMap(({ assetRegistration }) => assetRegistration ?? []);
  const near = registrations.length === 0 ? [] : await tachoEntries({ ...query, registrations }, context);
  const theirs = near.filter(isTheirs);
  const keys = [...new Set(theirs.flatMap(({ driverKey }) => driverKey ?? []))];
  // If a key is missing or would be rejected by the service, it cannot be used as a filter, and all entries are read.
  const found = theirs.every(({ driverKey }) => DRIVER_KEYS?.safeParse([driverKey]).success);
  const all = await tachoEntries({ ...query, ...(keys.length > 0 && found && { driverKeys: keys }) }, context);
  return all.filter((entry) => isTheirs(entry) || (entry.driverKey !== undefined && keys.includes(entry.driverKey)));
}

/**
 * The content of a cursor: the window, then the name, id and activity of the last row shown, and its index among rows with the same key.
 */
const Place = z.tuple([z.number(), z.number(), z.string(), z.string(), z.string(), z.int()]);

const keyOf = ({ driverName, driverId, driverKey, activity }: DriverTime) => [
  singleLine(driverName ?? "", 40),
  singleLine(driverId ?? driverKey ?? "", 30),
  singleLine(activity, 40),
];

const rowOf = ({ milliseconds, first, last, open, ...time }: DriverTime): Row => ({
  ...time,
  time: durationInWords(milliseconds),
  first: new Date(first).toISOString(),
  last: new Date(last).toISOString(),
  seconds: Math.round(milliseconds / 1000),
  open: open || undefined,
});

const notesOf = (window: Period, match: DriverMatch | undefined, { times, unread }: ReturnType<typeof driverTimes>): string[] => [
  `Period ${singleLine(window.text, 140)}.`,
  ...(match?.note === undefined ? [] : [match.note]),
  ...(match && times.length === 0 ? [`No tachograph entries for ${driverLabel(match.driver)} in this period.`] : []),
  ...(times.some(({ open }) => open) ? ["Open entries are counted up to now or the end of the period."] : []),
  ...(unread > 0 ? [`Left out: ${pluralize(unread, ["entry", "entries"])} without readable times.`] : []),
  "Activity labels come from the service.",
];

/** Formats an instant for the service: UTC, to the second, without a suffix. */
const wire = (instant: number) => new Date(instant).toISOString().slice(0, 19);

export const summarizeDriverActivity: ReadTool = {
  name: "summarize_driver_activity",
  title: "Summarize driver activity",
  description: "Tachograph time per driver and activity in a period, added up from start and end times.",
  effect: "read",
  operations: [operations.listLivePositions, operations.queryTachoActivity],
  ...toolInput(
    {
      period: z.string().min(1).describe(PERIOD),
      driver: z.string().min(1).optional().describe("Driver or vehicle name; omit for all"),
      limit: listArguments.limit,
      cursor: listArguments.cursor,
    },
    { fields: listArguments.fields },
  ),
  outputSchema: listOutputSchema(rowTypes),
  run: async (args, context) => {
    const { period, driver, limit = DEFAULT_LIMIT, cursor, fields } = args as unknown as Arguments;
    const { settings, now } = context;
    const from = readCursor(cursor, Place);
    // Later pages keep the window of the first page.
    const read = readPeriod(period, now(), settings.timeZone);
    const times = timesOf(context);
    const window: Period = from
      ? { start: from[0], end: from[1], text: `as before in ${times.zone}: ${times.text(from[0])} to ${times.text(from[1])}` }
      : read;
    const fleet = await readFleet(context);
    const match = driver === undefined ? undefined : await findDriver(driver, fleet);
    const query = { startTime: wire(window.start), endTime: wire(window.end) };
    const entries = match ? await entriesOf(match.driver, query, context) : await tachoEntries(query, context);
    const names = new Map(fleet.positions.map(({ driverId, driverName }) => [driverId, driverName]));
    const worked = driverTimes(entries, names, window, now());
    const page = await rowsAfter(worked.times, { keyOf }, { carried: [window.start, window.end], last: from?.slice(2) }, limit);
    return listResult(
      {
        what: ["driver time", "driver times"],
        rows: page.rows.map(rowOf),
        total: worked.times.length,
        fields: Object.keys(rowTypes),
        defaultFields: Object.keys(shownTypes),
        next: page.next,
        notes: notesOf(window, match, worked),
        times,
      },
      { fields },
    );
  },
};
