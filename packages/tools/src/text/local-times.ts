import { forgetOldest } from "../runtime/forget-oldest.ts";

/** What clocks show in a time zone. */
interface LocalTimes {
  zone: string;
  /** The local time of an instant, such as 2026-11-20 09:30:00. */
  local: (instant: number) => string;
  /** How far clocks are ahead of UTC, in milliseconds. */
  offsetAt: (instant: number) => number;
  /** Whether clocks show the time of an instant twice, since they go back. */
  isTwice: (instant: number) => boolean;
  instantsAt: (wall: number) => readonly number[];
  firstAt: (wall: number) => number;
}

// A formatter takes longer to create than a list takes to format.
const formats = new Map<string | undefined, LocalTimes>();

/** The name of the host's time zone, which is unknown if the variable TZ holds a path, a rule or nothing. */
function hostZone(format: Intl.DateTimeFormat): string {
  const zone: string | undefined = format.resolvedOptions().timeZone;
  if (zone !== undefined && zone !== "Etc/Unknown") return zone;
  const isUtc = [0, 6].every((month) => format.format(Date.UTC(2026, month, 1, 12)).endsWith("01 12:00:00"));
  return isUtc ? "UTC" : "server time";
}

const DAY = 86_400_000;
/** About three years. */
const MAX_DAYS = 1_000;

/** Returns the first second, after the first instant and at the latest at the other, for which a test that stays true is true. */
function firstSecond([from, to]: readonly [number, number], isReached: (instant: number) => boolean): number {
  let [before, after] = [Math.floor(from / 1000), Math.floor(to / 1000)];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (isReached(middle * 1000)) after = middle;
    else before = middle;
  }
  return after * 1000;
}

/** Returns the local times of a zone, which defaults to the host's. */
export function localTimesIn(timeZone: string | undefined): LocalTimes {
  const known = formats.get(timeZone);
  if (known) return known;
  const twoDigits = "2-digit";
  const format = new Intl.DateTimeFormat("sv-SE-u-ca-gregory-nu-latn", {
    timeZone,
    ...{ year: "numeric", month: twoDigits, day: twoDigits, hour: twoDigits, minute: twoDigits, second: twoDigits, hourCycle: "h23" },
  });
  // Text and record show the same instants.
  let [instant, text] = [Number.NaN, ""];
  const local = (other: number) => {
    if (other !== instant) [instant, text] = [other, format.format(other)];
    return text;
  };
  const wallAt = (at: number) => Date.parse(`${local(at).replace(" ", "T")}Z`);
  const offsetAt = (at: number) => wallAt(at) - Math.floor(at / 1000) * 1000;
  const instantsAt = (wall: number) => {
    const offsets = new Set([offsetAt(wall - DAY), offsetAt(wall + DAY)]);
    return [...offsets]
      .map((offset) => wall - offset)
      .filter((at) => offsetAt(at) === wall - at)
      .sort((a, b) => a - b);
  };
  /** Whether clocks change around a day. */
  const changing = new Map<number, boolean>();
  const changesAround = (day: number) => {
    const existing = changing.get(day);
    if (existing !== undefined) return existing;
    const changes = offsetAt((day - 1) * DAY) !== offsetAt((day + 2) * DAY);
    changing.set(day, changes);
    forgetOldest(changing, MAX_DAYS);
    return changes;
  };
  const times: LocalTimes = {
    zone: timeZone ?? hostZone(format),
    local,
    offsetAt,
    isTwice: (at) => changesAround(Math.floor(at / DAY)) && instantsAt(at + offsetAt(at)).length > 1,
    instantsAt,
    firstAt: (wall) => instantsAt(wall)[0] ?? firstSecond([wall - 2 * DAY, wall + 2 * DAY], (at) => at + offsetAt(at) >= wall),
  };
  formats.set(timeZone, times);
  return times;
}
