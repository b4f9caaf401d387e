import type { Point } from "@fleetwire/core/internal";
import { crewMember, dayOf, daysPerDate, LONGEST_REST_DAYS, planDay, type Spell } from "./day-plan.ts";
import { ODDITIES, oddityOf, oddMs } from "./oddities.ts";
import type { Driver } from "./people.ts";
import { drawIndex, topic } from "./random.ts";
import type { Vehicle } from "./roster.ts";

/** The sandbox's own labels for tachograph activities, since the interface lists none. */
type TachoLabel = "DRIVING" | "WORK" | "AVAILABILITY" | "REST";

/** One entry of a driver's tachograph. Times are epoch ms. */
export interface TachoEntry {
  readonly vehicle: Vehicle;
  /** 1 for who has the wheel, 2 for who sits beside. */
  readonly slot: 1 | 2;
  readonly label: TachoLabel;
  readonly start: number;
  readonly end: number;
  readonly from: Point;
  readonly to: Point;
  readonly km: number;
  readonly isStartOfShift: boolean;
  readonly isEndOfShift: boolean;
  /** Whether the driver entered it manually, such as rest between shifts, when no card was inserted. */
  readonly isManual: boolean;
}

function labelOf(spell: Spell, isAtWheel: boolean): TachoLabel {
  if (spell.kind === "drive") return isAtWheel ? "DRIVING" : "AVAILABILITY";
  if (spell.kind === "break") return "REST";
  return spell.isWaiting ? "AVAILABILITY" : "WORK";
}

const pointOf = ({ latitude, longitude }: Point): Point => ({ latitude, longitude });

/** The entries of one shift, with consecutive activities of the same label merged. */
function shiftEntries(vehicle: Vehicle, member: number, spells: readonly Spell[]): TachoEntry[] {
  const entries: TachoEntry[] = [];
  for (const spell of spells) {
    const isAtWheel = !vehicle.duty.isTeam || spell.wheel === member;
    const label = labelOf(spell, isAtWheel);
    const slot = isAtWheel ? 1 : 2;
    const to = pointOf(spell.kind === "drive" ? spell.leg.to : spell.site);
    const previous = entries.at(-1);
    if (previous && previous.label === label && previous.slot === slot) entries[entries.length - 1] = { ...previous, end: spell.end, to };
    else {
      entries.push({
        vehicle,
        slot,
        label,
        start: spell.start,
        end: spell.end,
        from: pointOf(spell.site),
        to,
        km: label === "DRIVING" ? spell.leg.km : 0,
        isStartOfShift: entries.length === 0,
        isEndOfShift: false,
        isManual: false,
      });
    }
  }
  const last = entries.pop();
  return last ? [...entries, { ...last, isEndOfShift: true }] : [];
}

const GAP = topic("gap in the records of a shift");

type SentShift = ReturnType<typeof sentShift>;

/**
 * The entries that a service sends of a shift, and its first and last one: in ordinary weeks, a few are `unrecorded` until the card was inserted again,
 * and of a few there are two records.
 */
export function sentShift(vehicle: Vehicle, member: number, day: number) {
  const { duty } = vehicle;
  const all = shiftEntries(vehicle, member, planDay(duty, day));
  const ends = { first: all[0], last: all.at(-1) };
  const isForgotten = duty.isVaried && all.length > 4 && oddityOf("shift", duty.seed, day, member) !== undefined;
  const gap = isForgotten ? drawIndex(all.length - 3, duty.seed, GAP, day, member) : all.length;
  const unrecorded = all.slice(gap, gap + 3);
  const recorded = all.filter((entry) => !unrecorded.includes(entry));
  const [lateMs] = ODDITIES.recordedTwice.ms;
  const twice = recorded.filter(
    ({ label, start, end }, at) =>
      duty.isVaried && label !== "REST" && end - start > 2 * lateMs && oddityOf("record", duty.seed, day, member, at) !== undefined,
  );
  const entries = recorded.flatMap((entry) =>
    twice.includes(entry) ? [{ ...entry, end: entry.end - lateMs, isEndOfShift: false }, entry] : [entry],
  );
  return { ...ends, entries, unrecorded, twice };
}

/** A driver of a vehicle. */
export interface Seat {
  readonly vehicle: Vehicle;
  /** The ordinal of the driver among the vehicle's drivers. */
  readonly member: number;
  readonly driver: Driver;
}

/** By how much the clock of a vehicle's tachograph is ahead, in ms. */
function aheadMs({ duty: { isVaried, seed } }: Vehicle): number {
  const oddity = isVaried ? oddityOf("truck", seed) : undefined;
  return oddity ? oddMs(oddity, seed, 0) : 0;
}

/** Entries of a driver that overlap a period, oldest first; none before the first shift. */
export function tachoEntries({ vehicle, member }: Seat, from: number, to: number): TachoEntry[] {
  const { duty } = vehicle;
  const longestRest = LONGEST_REST_DAYS * daysPerDate(duty);
  const shiftOn = (day: number) => (duty.isTeam || crewMember(duty, day) === member ? sentShift(vehicle, member, day) : undefined);
  const firstDay = dayOf(duty, from);
  const lastDay = dayOf(duty, to);
  let previous: SentShift | undefined;
  for (let day = firstDay - 1; !previous?.last && day >= firstDay - 1 - longestRest; day--) previous = shiftOn(day);
  const entries = [...(previous?.entries ?? [])];
  for (let day = firstDay; day <= lastDay + longestRest; day++) {
    const shift = shiftOn(day);
    if (!shift?.first) continue;
    const { last } = previous ?? {};
    if (last) {
      const place = { vehicle: last.vehicle, slot: last.slot, from: last.to, to: last.to, km: 0 };
      const rest = { label: "REST", isStartOfShift: false, isEndOfShift: false, isManual: true } as const;
      entries.push({ ...place, ...rest, start: last.end, end: shift.first.start });
    }
    if (shift.first.start >= to) break;
    entries.push(...shift.entries);
    previous = shift;
  }
  const ahead = aheadMs(vehicle);
  return entries
    .map((entry) => ({ ...entry, start: entry.start + ahead, end: entry.end + ahead }))
    .filter(({ start, end }) => start < to && end > from);
}
