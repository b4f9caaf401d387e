import type { TachoActivity, TachoDriver } from "@fleetwire/core";

/** Until when an activity that nobody ended certainly lasted. A symbol, so that it appears in no list of fields and in no result. */
export const KNOWN_UNTIL: unique symbol = Symbol("known until");

/** An activity as the service sent it, read with the others of its driver and vehicle. */
export type RecordedTacho = TachoActivity & { [KNOWN_UNTIL]?: number };

/** What tachographs recorded of one driver. */
export interface TachoRecord {
  driverId: string | undefined;
  /** The first of `driverKeys`. */
  driverKey: string | undefined;
  /** The keys of all cards. */
  driverKeys: string[];
  /** Whether an entry has no key, so that the service does not find it by one. */
  lacksKey: boolean;
  /** With the key of the card that was used, unless it was always `driverKey`. */
  activities: (RecordedTacho & Pick<TachoDriver, "driverKey">)[];
}
