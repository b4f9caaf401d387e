import type { FleetContext } from "../fleet/fleet-context.ts";
import { townText } from "../places/towns.ts";
import { quotation, singleLine } from "../text/clip-values.ts";

const MAX_LAMPS = 10;
const PAGE_SIZE = 200;

/** Whether a lamp is the one that a rule names: "red" is any red lamp. */
export const isLampCalled = (lamp: string, called: string): boolean => townText(lamp).includes(townText(called));

/** Says which lamps there are if no fault that was reported lately has one that is called so: the interface names none, and a misspelt one would never come on. */
export async function unknownLamp(called: string, { fleet, callOptions }: FleetContext): Promise<string | undefined> {
  const { items = [] } = await fleet.listVehicleFaults({ pageSize: PAGE_SIZE }, callOptions);
  const lamps = new Set(items.flatMap(({ faults = [] }) => faults.flatMap(({ details }) => details?.lamps ?? [])));
  if ([...lamps].some((lamp) => isLampCalled(lamp, called))) return undefined;
  const known = [...lamps].slice(0, MAX_LAMPS).map((lamp) => singleLine(lamp, 40));
  const others = known.length > 0 ? `the lamps reported are ${known.join(", ")}` : "no lamps are reported";
  return `No fault has a lamp called ${quotation(called, 40)} now; ${others}.`;
}
