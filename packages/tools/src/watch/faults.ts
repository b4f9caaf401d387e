import type { FleetContext } from "../fleet/fleet-context.ts";
import { townText } from "../places/towns.ts";
import { quotation, singleLine } from "../text/clip-values.ts";
import type { WatchRule } from "./rules.ts";
import type { Track } from "./tracks.ts";

/** A fault that is missing for less, in milliseconds, is the same fault. */
const FAULT_GONE = 30 * 60_000;
const MAX_FAULTS = 200;
const MAX_LAMPS = 10;
const PAGE_SIZE = 200;

/** A fault, from a live position or from the list of faults. */
export interface SeenFault {
  code: string;
  lamps: readonly string[];
}

/** Whether a lamp is the one that a rule names: "red" is any red lamp. */
const isLampCalled = (lamp: string, called: string): boolean => townText(lamp).includes(townText(called));

/** Says which lamps there are if no fault that was reported lately has one that is called so: the interface names none, and a misspelt one would never come on. */
export async function unknownLamp(called: string, { fleet, callOptions }: FleetContext): Promise<string | undefined> {
  const { items = [] } = await fleet.listVehicleFaults({ pageSize: PAGE_SIZE }, callOptions);
  const lamps = new Set(items.flatMap(({ faults = [] }) => faults.flatMap(({ details }) => details?.lamps ?? [])));
  if ([...lamps].some((lamp) => isLampCalled(lamp, called))) return undefined;
  const known = [...lamps].slice(0, MAX_LAMPS).map((lamp) => singleLine(lamp, 40));
  const others = known.length > 0 ? `the lamps reported are ${known.join(", ")}` : "no lamps are reported";
  return `No fault has a lamp called ${quotation(called, 40)} now; ${others}.`;
}

function isWanted({ code, lamps }: SeenFault, rule: WatchRule): boolean {
  const wanted = rule.when === "faultBegins" ? rule : undefined;
  if (wanted?.code !== undefined && townText(wanted.code) !== townText(code)) return false;
  return wanted?.lamp === undefined || lamps.some((lamp) => isLampCalled(lamp, wanted.lamp as string));
}

/** The codes of the faults that a rule waits for, as a track keeps them after a vehicle's faults were seen, and those that have begun. */
export function codesAfter(
  rule: WatchRule,
  faults: readonly SeenFault[],
  before: Track | undefined,
  date: number,
): { codes: NonNullable<Track["codes"]>; begun: string[] } {
  const present = new Set(faults.flatMap((fault) => (isWanted(fault, rule) ? [fault.code] : [])).slice(0, MAX_FAULTS));
  const known = new Map(Object.entries(before?.codes ?? {}));
  const begun = [...present].filter((code) => {
    const goneAt = known.get(code);
    return before !== undefined && (goneAt === undefined || (goneAt > 0 && date - goneAt > FAULT_GONE));
  });
  const kept = [...known].flatMap(([code, goneAt]): [string, number][] => {
    if (present.has(code)) return [];
    const gone = goneAt || date;
    return date - gone > FAULT_GONE ? [] : [[code, gone]];
  });
  const codes = Object.fromEntries([...kept, ...[...present].map((code): [string, number] => [code, 0])]);
  const isSame = before?.codes && JSON.stringify(before.codes) === JSON.stringify(codes);
  return { codes: (isSame && before.codes) || codes, begun };
}
