import { FleetError } from "@fleetwire/core";
import { type Gazetteer, TownIndex } from "./town-index.ts";

/** Loads a module with a gazetteer. */
export type LoadGazetteer = () => Promise<{ gazetteer: Gazetteer }>;

/** Indexes by gazetteer, so that a process that serves many customers holds only one. */
const indexes = new WeakMap<Gazetteer, TownIndex>();

function indexOf(gazetteer: Gazetteer): TownIndex {
  const index = indexes.get(gazetteer) ?? new TownIndex(gazetteer);
  indexes.set(gazetteer, index);
  return index;
}

/** Returns a function that loads the towns on its first call; after a failure, the next call tries again. */
export function townsOf(load: LoadGazetteer | undefined): () => Promise<TownIndex | undefined> {
  let towns: Promise<TownIndex> | undefined;
  return async () => {
    if (!load) return undefined;
    towns ??= load().then(({ gazetteer }) => indexOf(gazetteer));
    try {
      return await towns;
    } catch {
      towns = undefined;
      throw new FleetError("network", "the map of towns could not be loaded", {
        advice: "Call again with a vehicle, driver, location or coordinates instead of the town",
      });
    }
  };
}
