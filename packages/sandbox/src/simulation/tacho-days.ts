import type { Point } from "@fleetwire/core/internal";
import { crewMember, dayOf, daysPerDate, LONGEST_REST_DAYS, planDay, type Spell } from "./day-plan.ts";
import type { Driver } from "./people.ts";
import { isSwapped, type Vehicle } from "./roster.ts";

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

/** A driver of a vehicle. */
export interface Seat {
  readonly vehicle: Vehicle;
  /** The ordinal of the driver among the vehicle's drivers. */
  readonly member: number;
  readonly driver: Driver;
  /** The vehicle that the driver has in weeks with swapped drivers. */
  readonly partner: Vehicle | undefined;
}

/** The vehicle that a driver has on a day, or undefined on a day off. */
function vehicleOn({ vehicle, member, partner }: Seat, day: number): Vehicle | undefined {
  if (partner && isSwapped(vehicle, day)) return partner;
  return vehicle.duty.isTeam || crewMember(vehicle.duty, day) === member ? vehicle : undefined;
}

/** Entries of a driver that overlap a period, oldest first; none before the first shift. */
export function tachoEntries(seat: Seat, from: number, to: number): TachoEntry[] {
  const { duty } = seat.vehicle;
  const longestRest = LONGEST_REST_DAYS * daysPerDate(duty);
  const shiftOn = (day: number) => {
    const vehicle = vehicleOn(seat, day);
    return vehicle ? shiftEntries(vehicle, seat.member, planDay(vehicle.duty, day)) : [];
  };
  const firstDay = dayOf(duty, from);
  const lastDay = dayOf(duty, to);
  let previous: TachoEntry[] = [];
  for (let day = firstDay - 1; previous.length === 0 && day >= firstDay - 1 - longestRest; day--) previous = shiftOn(day);
  const entries = [...previous];
  for (let day = firstDay; day <= lastDay + longestRest; day++) {
    const shift = shiftOn(day);
    const last = previous.at(-1);
    const next = shift[0];
    if (!next) continue;
    if (last) {
      const rest = {
        vehicle: last.vehicle,
        slot: last.slot,
        label: "REST",
        from: last.to,
        to: last.to,
        km: 0,
        isStartOfShift: false,
        isEndOfShift: false,
        isManual: true,
      } as const;
      entries.push({ ...rest, start: last.end, end: next.start });
    }
    if (next.start >= to) break;
    entries.push(...shift);
    previous = shift;
  }
  return entries.filter((found) => found.start < to && found.end > from);
}
