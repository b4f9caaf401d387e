import type { TachoActivity, TachoDriver } from "@fleetwire/core";

/** What tachographs recorded of one driver. */
export interface TachoRecord {
  driverId: string | undefined;
  /** The first of `driverKeys`. */
  driverKey: string | undefined;
  /** The keys of all cards. */
  driverKeys: string[];
  /** Whether an entry has no key, so that the service does not find it by one. */
  lacksKey: boolean;
  activities: TachoActivity[];
}

/** The part of a driver key that stays when a card is renewed; the issue number follows (interface 4.5). */
const CARD_LENGTH = 14;

export const cardOf = (driverKey: string): string => driverKey.slice(0, CARD_LENGTH);

/** What an entry has in common with the driver's other entries. Those without id and key cannot be told apart. */
function aliasesOf({ driverId, driverKey }: TachoDriver): string[] {
  const aliases = [
    ...(driverId === undefined ? [] : [`id ${driverId}`]),
    ...(driverKey === undefined ? [] : [`card ${cardOf(driverKey)}`]),
  ];
  return aliases.length > 0 ? aliases : ["none"];
}

/** Joins the entries of each driver, which may be spread over several pages, vehicles and cards. */
export function recordsByDriver(entries: readonly TachoDriver[]): TachoRecord[] {
  const byAlias = new Map<string, TachoDriver[]>();
  for (const entry of entries) {
    const aliases = aliasesOf(entry);
    const [known = [], ...others] = new Set(aliases.flatMap((alias) => (byAlias.has(alias) ? [byAlias.get(alias) as TachoDriver[]] : [])));
    known.push(...others.flat(), entry);
    for (const alias of [...others.flat().flatMap(aliasesOf), ...aliases]) byAlias.set(alias, known);
  }
  return [...new Set(byAlias.values())].map((joined) => {
    const driverKeys = [...new Set(joined.flatMap(({ driverKey }) => driverKey ?? []))];
    return {
      driverId: joined.find(({ driverId }) => driverId !== undefined)?.driverId,
      driverKey: driverKeys[0],
      driverKeys,
      lacksKey: joined.some(({ driverKey }) => driverKey === undefined),
      activities: joined.flatMap(({ activities = [] }) => activities),
    };
  });
}
