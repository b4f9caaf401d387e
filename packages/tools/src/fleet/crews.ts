import type { TachoActivity } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import type { ActivityWords } from "../model/settings.ts";
import { forEachInSlices } from "../runtime/time-slices.ts";
import type { Span } from "../text/read-period.ts";
import { plateOf } from "../text/spelling.ts";
import { isBeside, KNOWN_UNTIL, type RecordedTacho, SECOND_SLOT, type TachoRecord } from "./activity-words.ts";
import { chained, ROUNDING } from "./spans.ts";

const vehicleOf = ({ assetId, assetRegistration }: TachoActivity): string | undefined =>
  assetId || (assetRegistration ? `plate ${plateOf(assetRegistration)}` : undefined);

/** An activity that goes on has no end. */
function spanOf({ startTime, endTime, inProgress, [KNOWN_UNTIL]: until = Number.POSITIVE_INFINITY }: RecordedTacho): Span | undefined {
  const [start, end] = [parseDateTime(startTime), inProgress ? until : parseDateTime(endTime)];
  return start === undefined || end === undefined ? undefined : { start, end };
}

/** Joins the spans that touch. */
const joined = (spans: Span[]): Span[] =>
  chained(
    spans.sort((a, b) => a.start - b.start),
    ROUNDING + 1,
  ).map((group) => ({ start: group[0]?.start ?? 0, end: group.reduce((reached, { end }) => Math.max(reached, end), 0) }));

/** When the last span that begins by then ends; the spans are sorted and do not overlap. */
function endOfLast(spans: readonly Span[], by: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle] as Span).start <= by) low = middle + 1;
    else high = middle;
  }
  return spans[low - 1]?.end ?? Number.NEGATIVE_INFINITY;
}

const covers = (spans: readonly Span[], { start, end }: Span) => endOfLast(spans, start + ROUNDING) >= end - ROUNDING;

const lacksSlot = ({ driverCardSlot, flagManualEntry }: TachoActivity) => (driverCardSlot ?? null) === null && flagManualEntry !== true;

/** Whether a driver has sat beside another, or may have. */
export const hasSecondSlot = ({ activities }: TachoRecord): boolean => activities.some((one) => isBeside(one) || lacksSlot(one));

/** Adds the second slot to availability without a slot while another driver drives the vehicle. */
export async function withSecondSlots(
  records: readonly TachoRecord[],
  kindOf: (activity: TachoActivity) => ActivityWords[string] | undefined,
): Promise<readonly TachoRecord[]> {
  if (!records.some(({ activities }) => activities.some(lacksSlot))) return records;
  const drives = new Map<string, Map<TachoRecord, Span[]>>();
  for (const record of records) {
    await forEachInSlices(record.activities, (activity) => {
      const [vehicle, span] = [vehicleOf(activity), spanOf(activity)];
      if (vehicle === undefined || !span || kindOf(activity) !== "driving") return;
      const byRecord = drives.get(vehicle) ?? new Map<TachoRecord, Span[]>();
      const spans = byRecord.get(record) ?? [];
      spans.push(span);
      drives.set(vehicle, byRecord.set(record, spans));
    });
  }
  for (const byRecord of drives.values()) for (const [record, spans] of byRecord) byRecord.set(record, joined(spans));
  return records.map((record) => ({
    ...record,
    activities: record.activities.map((activity) => {
      const span = lacksSlot(activity) && kindOf(activity) === "availability" ? spanOf(activity) : undefined;
      const isTogether = ([other, spans]: [TachoRecord, Span[]]) =>
        span !== undefined && other !== record && endOfLast(spans, span.end - ROUNDING) > span.start + ROUNDING;
      const others = drives.get(vehicleOf(activity) ?? "");
      return others && [...others].some(isTogether) ? { ...activity, driverCardSlot: SECOND_SLOT } : activity;
    }),
  }));
}

/**
 * Returns the activities during which a second driver's card was in the vehicle. What a driver entered by hand does not count: the card was not in the vehicle.
 */
export async function crewedActivities(records: readonly TachoRecord[]): Promise<ReadonlySet<TachoActivity>> {
  const beside = new Map<string, Span[]>();
  await forEachInSlices(activitiesOf(records.filter(hasSecondSlot)), (activity) => {
    const [vehicle, span] = [vehicleOf(activity), spanOf(activity)];
    if (!isBeside(activity) || vehicle === undefined || !span) return;
    const spans = beside.get(vehicle);
    if (spans) spans.push(span);
    else beside.set(vehicle, [span]);
  });
  const crewed = new Set<TachoActivity>();
  if (beside.size === 0) return crewed;
  const seconds = new Map([...beside].map(([vehicle, spans]) => [vehicle, joined(spans)]));
  await forEachInSlices(activitiesOf(records), (activity) => {
    const spans = activity.flagManualEntry === true ? undefined : seconds.get(vehicleOf(activity) ?? "");
    const span = spans && spanOf(activity);
    if (spans && span && covers(spans, span)) crewed.add(activity);
  });
  return crewed;
}

function* activitiesOf(records: readonly TachoRecord[]): Generator<TachoActivity, void, void> {
  for (const { activities } of records) yield* activities;
}
