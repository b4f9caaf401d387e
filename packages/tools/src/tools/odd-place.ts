import type { Job } from "@fleetwire/core";
import { distanceKm, pointOf } from "../places/geography.ts";
import type { TownIndex } from "../places/town-index.ts";
import { townWords } from "../places/towns.ts";

/** An address may be this far from the centre of its town. */
const MAX_KM = 40;
/** Streets and hamlets share names with small towns elsewhere. */
const MIN_POPULATION = 10_000;

/** Returns the towns named in the last part of an address that names any: "Quai Perrache 10, 69002 Lyon, France". */
function townsIn(address: string, index: TownIndex) {
  for (const part of address.split(",").reverse()) {
    const words = townWords(part.replace(/\S*\d\S*/g, " "));
    const towns = index.named(words).filter(({ town, isWhole }) => isWhole && town.population >= MIN_POPULATION);
    if (towns.length > 0) return towns.map(({ town }) => town);
  }
  return [];
}

/** Says if the point that the service found for an address is far from the town that the address names. */
export async function oddPlace(
  address: string | undefined,
  { lat, lng }: Job,
  loadTowns: () => Promise<TownIndex | undefined>,
): Promise<string[]> {
  const point = pointOf({ latitude: lat, longitude: lng });
  if (address === undefined || !point) return [];
  // The job exists, so a failed comparison must not fail the call.
  const index = await loadTowns().catch(() => undefined);
  const [nearest] = (index ? townsIn(address, index) : [])
    .map(({ name, ...town }) => ({ name, km: distanceKm(town, point) }))
    .sort((a, b) => a.km - b.km);
  if (!nearest || nearest.km <= MAX_KM) return [];
  return [`The service placed the address ${Math.round(nearest.km)} km from ${nearest.name}: tell the user, and check it.`];
}
