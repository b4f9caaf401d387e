import type { Point } from "@fleetwire/core/internal";
import { crewMember, type Duty, dayOf, daysPerDate, LONGEST_REST_DAYS, planDay, type Spell } from "./day-plan.ts";

/** The sandbox's own labels for tachograph activities, since the interface lists none. */
type TachoLabel = "DRIVING" | "WORK" | "AVAILABILITY" | "REST";

/** One entry of a driver's tachograph. Times are epoch ms. */
export interface TachoEntry {
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

function labelOf(spell: Spell): TachoLabel {
  if (spell.kind === "drive") return "DRIVING";
  if (spell.kind === "break") return "REST";
  return spell.isWaiting ? "AVAILABILITY" : "WORK";
}

function standsAt(spell: Spell): Point {
  return { latitude: spell.site.latitude, longitude: spell.site.longitude };
}

/** The entries of one shift, with consecutive activities of the same label merged. */
function shiftEntries(spells: readonly Spell[]): TachoEntry[] {
  const entries: TachoEntry[] = [];
  for (const spell of spells) {
    const label = labelOf(spell);
    const previous = entries.at(-1);
    if (previous && previous.label === label) entries[entries.length - 1] = { ...previous, end: spell.end };
    else {
      const isDrive = label === "DRIVING";
      entries.push({
        label,
        start: spell.start,
        end: spell.end,
        from: standsAt(spell),
        to: isDrive ? { latitude: spell.leg.to.latitude, longitude: spell.leg.to.longitude } : standsAt(spell),
        km: isDrive ? spell.leg.km : 0,
        isStartOfShift: entries.length === 0,
        isEndOfShift: false,
        isManual: false,
      });
    }
  }
  const last = entries.pop();
  return last ? [...entries, { ...last, isEndOfShift: true }] : [];
}

/** Entries of one of a vehicle's drivers that overlap a period, oldest first; none before the driver's first shift. */
export function tachoEntries(duty: Duty, member: number, from: number, to: number): TachoEntry[] {
  const longestRest = LONGEST_REST_DAYS * daysPerDate(duty);
  const shiftOn = (day: number) => (crewMember(duty, day) === member ? shiftEntries(planDay(duty, day)) : []);
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
