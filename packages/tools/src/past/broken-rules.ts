import { type Infringement, infringementSteps, type Period, WEEKS_NEEDED, weekStart } from "@fleetwire/driving-time";
import { knownActivities, meaningOf, readActivities, type TachoRecord, wordsOf } from "../fleet/activity-words.ts";
import { crewedActivities, hasSecondSlot, withSecondSlots } from "../fleet/crews.ts";
import { vehicleName } from "../fleet/entity-labels.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { recordsOf, type WantedDrivers } from "../fleet/tacho-records.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import { plateOf } from "../text/spelling.ts";
import { isKnown, type ReadDriver } from "./hours-left.ts";

const MINUTE = 60_000;
const WEEK = 7 * 24 * 60 * MINUTE;
/** Rests after a period decide what was broken in it. */
const WEEKS_AFTER = 4;

/** A driver with the rules that were broken. */
export interface Judged extends ReadDriver {
  found: readonly Infringement[];
}

/** Returns what is recorded of those who were in vehicles with drivers who sat beside somebody: these may not have been chosen. */
async function crewsOf(records: readonly TachoRecord[], period: Period, context: FleetContext) {
  const shared = records
    .filter(hasSecondSlot)
    .flatMap(({ activities }) => activities.flatMap(({ assetRegistration }) => assetRegistration || []));
  if (shared.length === 0) return [];
  return (await recordsOf(undefined, period, context, { filter: { registrations: [...new Set(shared)] } })).records;
}

/** Reads which rules some drivers, or all, broke in a period. The average of 17 weeks needs the activities of as many, and is only judged if it is wanted. */
export async function readBrokenRules(
  wanted: WantedDrivers | undefined,
  window: Period,
  isAverageWanted: boolean,
  context: FleetContext,
): Promise<{ drivers: Judged[]; unplaced: number }> {
  const now = context.now();
  const weeks = WEEKS_NEEDED[isAverageWanted ? "averageWork" : "infringements"];
  const until = Math.min(Math.ceil(now / MINUTE) * MINUTE, window.end + WEEKS_AFTER * WEEK);
  const period = { start: weekStart(window.start) - weeks * WEEK, end: until };
  const words = wordsOf(context.settings);
  const { records, unplaced } = await recordsOf(wanted, period, context);
  const others = wanted ? await crewsOf(records, period, context) : [];
  const all = await withSecondSlots([...records, ...others], ({ activity = "" }) => meaningOf(activity, words));
  const crewed = await crewedActivities(all);
  const slices = new TimeSlices();
  const judged = { start: window.start, end: Math.min(window.end, now) };
  const drivers: Judged[] = [];
  for (const record of all.slice(0, records.length)) {
    const { activities, ...known } = knownActivities(record.activities, words, now, crewed);
    const found = isKnown(known) ? await slices.run(infringementSteps(activities, judged, now)) : [];
    // Where a long period has the weeks of some averages, these would pass for all.
    drivers.push({ record, ...known, found: found.filter(({ rule }) => isAverageWanted || rule !== "averageWork") });
    if (slices.isOver) await slices.next();
  }
  return { drivers, unplaced };
}

/** Returns a function that names the vehicles that a driver drove in a period, the most driven first. */
export function vehiclesDriven({ positions }: FleetView, { settings, now }: FleetContext) {
  const names = new Map<string, string>();
  for (const position of positions) {
    if (position.assetRegistration) names.set(`plate ${plateOf(position.assetRegistration)}`, vehicleName(position));
    if (position.assetId) names.set(`id ${position.assetId}`, vehicleName(position));
  }
  return ({ activities }: TachoRecord): ((period: Period) => string[]) => {
    const drives = readActivities(activities, wordsOf(settings), now()).flatMap((one, at) => {
      const { assetId, assetRegistration, vehicleFriendlyName } = activities[at] ?? {};
      const plate = assetRegistration && names.get(`plate ${plateOf(assetRegistration)}`);
      const name = names.get(`id ${assetId}`) ?? plate ?? vehicleFriendlyName ?? assetRegistration ?? assetId;
      return one?.kind === "driving" && name ? [{ name, start: one.start, end: one.end ?? now() }] : [];
    });
    return ({ start, end }) => {
      const driven = new Map<string, number>();
      for (const drive of drives) {
        const length = Math.min(drive.end, end) - Math.max(drive.start, start);
        if (length > 0) driven.set(drive.name, (driven.get(drive.name) ?? 0) + length);
      }
      return [...driven].sort(([, a], [, b]) => b - a).map(([name]) => name);
    };
  };
}
