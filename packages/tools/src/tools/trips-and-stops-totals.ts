import { isOddLength, type Past } from "../past/read-past.ts";
import type { Part } from "../past/vehicle-trips.ts";
import { pluralize } from "../text/pluralize.ts";
import type { Span } from "../text/read-period.ts";
import { hoursAndMinutes } from "../text/time.ts";

/** The length of a trip, as its row shows it. */
export function kmOf({ drives }: Part, past: Past): number | undefined {
  const km = past.lengthOf(drives);
  return km === undefined ? undefined : Math.round(km * 10) / 10;
}

const KINDS = [
  ["trip", "trips"],
  ["stop", "stops"],
  ["rest", "rests"],
] as const;

/** Adds up trips and stops as their rows show them and, of those that are partly outside the period, says how much lies in it. */
export function totalsOf(parts: readonly Part[], window: Span, past: Past, isCounted: boolean): string[] {
  const of = (kind: Part["kind"]) => parts.filter((part) => part.kind === kind && !part.isContradicted);
  const whole = ({ start, end }: Span) => end - start;
  const inside = ({ start, end }: Span) => Math.min(end, window.end) - Math.max(start, window.start);
  const trips = of("trip");
  const odd = parts.filter(({ isContradicted }) => isContradicted);
  if (parts.length < 2 && trips.length + odd.length === 0) return [];
  const length = (some: readonly Part[], part: typeof whole) => hoursAndMinutes(some.reduce((sum, one) => sum + part(one), 0));
  const km = (part: Part) => kmOf(part, past) ?? 0;
  const sum = (some: readonly Part[], share: (part: Part) => number) => `${Math.round(some.reduce((all, one) => all + share(one), 0))} km`;
  const straight = past.unit ? "" : " in a straight line";
  const isMeasured = ({ drives }: Part) => drives.every((one) => one.recorded.distance !== undefined && !isOddLength(one, past.unit));
  const driven = `${past.unit && trips.every(isMeasured) ? "" : "at least "}${sum(trips, km)}${straight}`;
  const summed = KINDS.flatMap(([one, many]) => {
    const some = of(one);
    if (some.length === 0) return [];
    const share =
      one === "trip" ? `about ${sum(some, (part) => (km(part) * inside(part)) / Math.max(1, whole(part)))}${straight} in` : many;
    return {
      all: `${pluralize(some.length, [one, many])}${one === "trip" ? `, ${driven}` : ""} in ${length(some, whole)}`,
      inPeriod: `${share} ${length(some, inside)}`,
      isCut: some.some((part) => inside(part) !== whole(part)),
    };
  });
  const all = (of: "all" | "inPeriod", between: string) => summed.map(({ [of]: text }) => text).join(between);
  return [
    ...(summed.length === 0 ? [] : [`${all("all", "; ")}.`]),
    ...(summed.some(({ isCut }) => isCut) ? [`Of this in the period: ${all("inPeriod", ", ")}.`] : []),
    ...(odd.length === 0
      ? []
      : [
          `Not counted: ${pluralize(odd.length, ["trip", "trips"])}, ${sum(odd, km)}, whose driver is recorded in two vehicles at a time${isCounted ? "; the rows have them" : ""}.`,
        ]),
  ];
}
