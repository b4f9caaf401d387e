import type { ToolContext } from "@fleetwire/tools/host";
import { type FleetView, fold, plainText, readFleet } from "@fleetwire/tools/host";

type Completion = (typed: string) => Promise<string[]>;

/** Characters of a name that is completed. */
const LONGEST = 60;

const collator = new Intl.Collator("en", { numeric: true });

const NAMES = {
  vehicle: ({ positions }: FleetView) => positions.flatMap(({ assetName, assetRegistration }) => [assetName, assetRegistration]),
  driver: ({ positions }: FleetView) => positions.map(({ driverName }) => driverName),
  group: ({ positions }: FleetView) => positions.flatMap(({ assetGroupName, driverGroupName }) => [assetGroupName, driverGroupName]),
};

export type NameKind = keyof typeof NAMES;

/** Completes a name of the fleet: names that begin with what was typed, then those of which another word does. */
export function completeNames(kind: NameKind, context: ToolContext): Completion {
  return async (typed) => {
    try {
      const view = await readFleet(context);
      const names = NAMES[kind](view).flatMap((name) => (name === undefined || name === "" ? [] : [plainText(name, LONGEST)]));
      const wanted = fold(typed).trim();
      const ranked = [...new Set(names)].flatMap((name) => {
        const folded = fold(name);
        const rank = folded.startsWith(wanted) ? 0 : folded.includes(` ${wanted}`) ? 1 : 2;
        return rank < 2 ? [{ name, rank }] : [];
      });
      return ranked.sort((a, b) => a.rank - b.rank || collator.compare(a.name, b.name)).map(({ name }) => name);
    } catch {
      // A host completes while the person types: without the fleet there is nothing to offer, and nothing to say.
      return [];
    }
  };
}
