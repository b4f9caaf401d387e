import type { TachoActivity } from "@fleetwire/core";
import {
  type Activity,
  type DrivingTime,
  drivingTime,
  type Infringement,
  infringementSteps,
  type Period,
  type Range,
  WEEKS_NEEDED,
  weekStart,
} from "@fleetwire/driving-time";
import {
  isBeside,
  isOverfull,
  KNOWN_UNTIL,
  leftOutNotes,
  meaningOf,
  readActivities,
  type TachoRecord,
  wordsOf,
} from "../fleet/activity-words.ts";
import { crewedActivities, hasSecondSlot, withSecondSlots } from "../fleet/crews.ts";
import { vehicleName } from "../fleet/entities.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { recordsOf, type WantedDrivers } from "../fleet/tacho-records.ts";
import { labelsOf } from "../lookup/find-entities.ts";
import type { ActivityWords } from "../model/settings.ts";
import { TimeSlices } from "../runtime/time-slices.ts";
import { quotation } from "../text/clip-values.ts";
import { plateOf } from "../text/spelling.ts";
import { hoursAndMinutes } from "../text/time.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WEEK = 7 * DAY;
/** Drivers who cannot be found by their vehicles are searched for in everyone's entries of this many days. */
const SEARCHED_DAYS = 3;
const MAX_NAMED = 5;

/** A driver with what could be read of the activities. With words of unknown meaning, or too many activities, nothing can be said. */
interface ReadDriver {
  record: TachoRecord;
  unknownWords: string[];
  isOverfull: boolean;
  /** How many have no readable times, and how many begin after `now`. */
  unread: number;
  future: number;
}

/** A driver's hours. `time` is absent if nothing can be said. */
export interface DriverHours extends ReadDriver {
  time?: DrivingTime;
  /** Whether what the driver did last has no end that anybody recorded, so that nothing is known of now. */
  isUnended: boolean;
}

/**
 * Reads a driver's activities whose words have a known meaning, and lists the other words; without activities if nothing can be said. Those without readable times
 * are left out. `crewed` are those with another driver in the vehicle, if this is known. In the first slot, availability counts as alone: the vehicle stands, so it
 * is no break (Article 7).
 */
function knownActivities(
  record: TachoRecord,
  words: ActivityWords,
  now: number,
  crewed?: ReadonlySet<TachoActivity>,
): { driver: ReadDriver; activities: Activity[] | undefined } {
  const { activities: sent } = record;
  const activities: Activity[] = [];
  const unknownWords = new Set<string>();
  let [unread, future] = [0, 0];
  if (isOverfull(sent)) return { driver: { record, unknownWords: [], isOverfull: true, unread, future }, activities: undefined };
  for (const [at, one] of readActivities(sent, words, now).entries()) {
    const activity = sent[at];
    const isTeam = activity && (isBeside(activity) || (crewed?.has(activity) && one?.kind !== "availability"));
    const team = isTeam ? true : undefined;
    if (!one) unread++;
    else if (one.start > now) future++;
    else if (one.kind) activities.push({ kind: one.kind, start: one.start, end: one.end, manual: activity?.flagManualEntry, team });
    else unknownWords.add(one.word);
  }
  const driver = { record, unknownWords: [...unknownWords].sort(), isOverfull: false, unread, future };
  return { driver, activities: unknownWords.size === 0 ? activities : undefined };
}

function hoursOf(record: TachoRecord, words: ActivityWords, at: number): DriverHours {
  const { activities, driver } = knownActivities(record, words, at);
  const time = activities && drivingTime(activities, at);
  const isUnended = time?.activity === "unknown" && record.activities.some((activity) => KNOWN_UNTIL in activity);
  return { ...driver, isUnended, ...(time && { time }) };
}

/** Reads the hours of some drivers, or of all. Drivers without tachograph activities are left out. `unplaced` is as in {@link recordsOf}. */
export async function readHours(
  wanted: WantedDrivers | undefined,
  at: number,
  context: FleetContext,
): Promise<{ hours: DriverHours[]; unplaced: number }> {
  // Whole minutes, so that requests stay the same for a while and can be cached.
  const end = Math.ceil(at / MINUTE) * MINUTE;
  const period = { start: weekStart(at) - WEEKS_NEEDED.hours * WEEK, end };
  const { records, unplaced } = await recordsOf(wanted, period, context, { search: { start: end - SEARCHED_DAYS * DAY, end } });
  const words = wordsOf(context.settings);
  const hours: DriverHours[] = [];
  const slices = new TimeSlices();
  for (const record of records) {
    if (record.activities.length > 0) hours.push(hoursOf(record, words, at));
    if (slices.isOver) await slices.next();
  }
  return { hours, unplaced };
}

/** Formats a duration; a range if gaps in the data leave it uncertain. */
export function hoursInRange({ atLeast, atMost }: Range): string {
  if (atLeast === atMost) return hoursAndMinutes(atLeast);
  return Number.isFinite(atMost) ? `${hoursAndMinutes(atLeast)}–${hoursAndMinutes(atMost)}` : `${hoursAndMinutes(atLeast)} or more`;
}

/** Names drivers, the first few if there are many. */
export const namesOf = (drivers: readonly { record: TachoRecord }[], nameOf: (record: TachoRecord) => string): string =>
  labelsOf(drivers, ({ record }) => nameOf(record), MAX_NAMED);

/** Names drivers about whom nothing can be said, and why, after these words; and says what of the others is left out. */
export function unreadNotes(drivers: readonly ReadDriver[], nothing: string, nameOf: (record: TachoRecord) => string): string[] {
  const overfull = drivers.filter(({ isOverfull }) => isOverfull);
  const unknown = drivers.filter(({ unknownWords }) => unknownWords.length > 0);
  const words = [...new Set(unknown.flatMap(({ unknownWords }) => unknownWords))].slice(0, MAX_NAMED);
  const sum = (of: (driver: ReadDriver) => number) => drivers.reduce((all, driver) => all + of(driver), 0);
  return [
    ...(unknown.length === 0
      ? []
      : [`${nothing} ${namesOf(unknown, nameOf)}: not in FLEET_ACTIVITY_WORDS: ${words.map((word) => quotation(word, 30)).join(", ")}.`]),
    ...(overfull.length === 0 ? [] : [`${nothing} ${namesOf(overfull, nameOf)}: more activities in a day than tachographs record.`]),
    ...leftOutNotes([
      [sum(({ unread }) => unread), "without readable times"],
      [sum(({ future }) => future), "in the future"],
    ]),
  ];
}

/** Rests after a period decide what was broken in it. */
const WEEKS_AFTER = 4;

/** A driver with the rules that were broken. */
interface Judged extends ReadDriver {
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
    const { activities, driver } = knownActivities(record, words, now, crewed);
    const found = activities ? await slices.run(infringementSteps(activities, judged, now)) : [];
    // Where a long period has the weeks of some averages, these would pass for all.
    drivers.push({ ...driver, found: found.filter(({ rule }) => isAverageWanted || rule !== "averageWork") });
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
