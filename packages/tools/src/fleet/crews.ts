import type { TachoActivity } from "@fleetwire/core";
import { parseDateTime } from "@fleetwire/core/internal";
import { forEachInSlices } from "../runtime/time-slices.ts";
import { plateOf } from "../text/spelling.ts";
import { KNOWN_UNTIL, type RecordedTacho, type TachoRecord } from "./tacho-record.ts";

const SECOND_SLOT = 2;
/** Times are rounded. */
const ROUNDING = 60_000;

interface Span {
  start: number;
  end: number;
}

const vehicleOf = ({ assetId, assetRegistration }: TachoActivity): string | undefined =>
  assetId || (assetRegistration ? `plate ${plateOf(assetRegistration)}` : undefined);

/** An activity that goes on has no end. */
function spanOf({ startTime, endTime, inProgress, [KNOWN_UNTIL]: until = Number.POSITIVE_INFINITY }: RecordedTacho): Span | undefined {
  const [start, end] = [parseDateTime(startTime), inProgress ? until : parseDateTime(endTime)];
  return start === undefined || end === undefined ? undefined : { start, end };
}

function joined(spans: Span[]): Span[] {
  const all: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last && span.start - last.end <= ROUNDING) last.end = Math.max(last.end, span.end);
    else all.push({ ...span });
  }
  return all;
}

/** Whether the last span that begins by then lasts to the end; the spans are sorted and do not overlap. */
function covers(spans: readonly Span[], { start, end }: Span): boolean {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spans[middle] as Span).start <= start + ROUNDING) low = middle + 1;
    else high = middle;
  }
  return (spans[low - 1]?.end ?? Number.NEGATIVE_INFINITY) >= end - ROUNDING;
}

/** Whether the card was in the slot of who sits beside the driver. */
export const isBeside = ({ driverCardSlot, flagManualEntry }: TachoActivity): boolean =>
  driverCardSlot === SECOND_SLOT && flagManualEntry !== true;

/** Whether a driver has sat beside another. */
export const hasSecondSlot = ({ activities }: TachoRecord): boolean => activities.some(isBeside);

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
