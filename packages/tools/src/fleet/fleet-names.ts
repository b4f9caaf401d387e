import type { Position } from "./position.ts";

/** A driver who occurs in live positions. */
export interface Driver {
  driverId: string | undefined;
  driverName: string | undefined;
  /** The vehicles that report this driver, most recent report first. */
  vehicles: Position[];
}

export interface NamedGroup {
  id: string;
  name: string | undefined;
}

/** A geo-fenced location, known only from the vehicles inside it. */
export interface Location {
  id: string;
  name: string;
  /** Empty if vehicles were only inside earlier. */
  inside: Position[];
}

export const isLocation = (thing: Position | Location): thing is Location => "inside" in thing;
