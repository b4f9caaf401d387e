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
  /** With the key of the card that was used. */
  activities: (TachoActivity & Pick<TachoDriver, "driverKey">)[];
}

/** The part of a driver key that stays when a card is renewed; the issue number follows (interface 4.5). */
const CARD_LENGTH = 14;

export const cardOf = (driverKey: string): string => driverKey.slice(0, CARD_LENGTH);

/**
 * Joins the entries of each driver, which may be spread over several pages, vehicles and cards. Entries with different ids are never joined; those without id and
 * key cannot be told apart.
 */
export function recordsByDriver(entries: readonly TachoDriver[]): TachoRecord[] {
  const idsByCard = new Map<string, Set<string>>();
  for (const { driverId, driverKey } of entries) {
    if (driverId === undefined || driverKey === undefined) continue;
    const ids = idsByCard.get(cardOf(driverKey)) ?? new Set();
    idsByCard.set(cardOf(driverKey), ids.add(driverId));
  }
  const nameOf = ({ driverId, driverKey }: TachoDriver) => {
    if (driverId !== undefined) return `id ${driverId}`;
    const [id, ...others] = idsByCard.get(cardOf(driverKey ?? "")) ?? [];
    return id !== undefined && others.length === 0 ? `id ${id}` : `card ${cardOf(driverKey ?? "")}`;
  };
  const byDriver = new Map<string, TachoDriver[]>();
  for (const entry of entries) {
    const joined = byDriver.get(nameOf(entry));
    if (joined) joined.push(entry);
    else byDriver.set(nameOf(entry), [entry]);
  }
  return [...byDriver.values()].map((joined) => {
    const driverKeys = [...new Set(joined.flatMap(({ driverKey }) => driverKey ?? []))];
    return {
      driverId: joined.find(({ driverId }) => driverId !== undefined)?.driverId,
      driverKey: driverKeys[0],
      driverKeys,
      lacksKey: joined.some(({ driverKey }) => driverKey === undefined),
      activities: joined.flatMap(({ activities = [], driverKey }) =>
        activities.map((activity) => (driverKey === undefined ? activity : { ...activity, driverKey })),
      ),
    };
  });
}
