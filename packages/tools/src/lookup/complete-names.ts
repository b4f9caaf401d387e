import type { FleetContext } from "../fleet/fleet-context.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { singleLine } from "../text/clip-values.ts";
import { fold } from "../text/spelling.ts";

/** Maximum length of a completion. */
const MAX_NAME_LENGTH = 60;

const collator = new Intl.Collator("en", { numeric: true });

const NAMES = {
  vehicle: ({ positions }: FleetView) => positions.flatMap(({ assetName, assetRegistration }) => [assetName, assetRegistration]),
  driver: ({ positions }: FleetView) => positions.map(({ driverName }) => driverName),
  group: ({ positions }: FleetView) => positions.flatMap(({ assetGroupName, driverGroupName }) => [assetGroupName, driverGroupName]),
};

/** The kind of entity whose name to complete. */
export type NameKind = keyof typeof NAMES;

/**
 * Returns the names in the fleet that begin with the typed text, then those in which a later word begins with it. Empty if the fleet cannot be read.
 */
export async function completeNames(kind: NameKind, typed: string, context: FleetContext): Promise<string[]> {
  try {
    const view = await readFleet(context);
    const names = NAMES[kind](view).flatMap((name) => (name ? [singleLine(name, MAX_NAME_LENGTH)] : []));
    const prefix = fold(typed).trim();
    const ranked = [...new Set(names)].flatMap((name) => {
      const folded = fold(name);
      const rank = folded.startsWith(prefix) ? 0 : folded.includes(` ${prefix}`) ? 1 : 2;
      return rank < 2 ? [{ name, rank }] : [];
    });
    return ranked.sort((a, b) => a.rank - b.rank || collator.compare(a.name, b.name)).map(({ name }) => name);
  } catch {
    // While the user is typing, no suggestions are better than an error.
    return [];
  }
}
