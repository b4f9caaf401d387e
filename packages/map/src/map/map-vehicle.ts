import type { LivePosition } from "@fleetwire/core";
import { isNullIsland, MOVING_MAX_AGE, parseDateTime, SILENT_HOURS, wasMoving } from "@fleetwire/core/internal";
import type { mapFields } from "@fleetwire/tools/host";

/** What a vehicle is doing, in as much detail as a marker shows. */
export const vehicleStates = ["driving", "idling", "stopped", "charging", "other"] as const;
export type VehicleState = (typeof vehicleStates)[number];

/** A vehicle as the map draws it. */
export interface MapVehicle {
  /** Identifies the vehicle across calls of `show`. */
  id: string;
  /** Shown as text, never as HTML. */
  name: string;
  /** Degrees north and east. */
  latitude: number;
  longitude: number;
  /** Degrees clockwise from north. */
  heading?: number | undefined;
  /** In km/h. */
  speed?: number | undefined;
  state: VehicleState;
  /** When the vehicle was there, in milliseconds since 1970. */
  fixAt?: number | undefined;
  /** Whether the fix cannot be trusted, because of its date: the marker is drawn hollow. */
  isStale?: boolean | undefined;
}

/** The fields of a live position that a marker depends on. */
export type DrawnPosition = Pick<LivePosition, (typeof mapFields)[number]>;

const MINUTE = 60_000;
const STALE_AFTER = { driving: MOVING_MAX_AGE, standing: SILENT_HOURS * 60 * MINUTE };

/** What a vehicle was doing when it last reported. */
export function vehicleState(position: DrawnPosition): VehicleState {
  const { eventType, electricCharging } = position;
  if (wasMoving(position)) return "driving";
  if (electricCharging === true) return "charging";
  return (["idling", "stopped"] as const).find((state) => state === eventType) ?? "other";
}

/** Returns a vehicle's name or, if it has none, its registration or id. A name may be empty. */
export const nameOf = ({
  assetName,
  assetRegistration,
  assetId,
}: Pick<LivePosition, "assetName" | "assetRegistration" | "assetId">): string =>
  assetName || assetRegistration || assetId || "Unnamed vehicle";

/** Whether a report is too old, or too far in the future, to say where its vehicle is and what it does. */
export function isStale(position: DrawnPosition, now: number): boolean {
  const at = parseDateTime(position.date);
  if (at === undefined || at - now > MOVING_MAX_AGE) return true;
  return now - at > (vehicleState(position) === "driving" ? STALE_AFTER.driving : STALE_AFTER.standing);
}

/** Converts a live position (interface 2.4); returns undefined if it has no coordinates, as on a private journey. */
export function mapVehicle(position: DrawnPosition, now: number): MapVehicle | undefined {
  const { assetId, latitude, longitude, heading, speed } = position;
  if (latitude === undefined || longitude === undefined || Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return undefined;
  // Services send 0, 0 in place of a missing position, and devices send points next to it.
  if (isNullIsland({ latitude, longitude })) return undefined;
  const name = nameOf(position);
  const state = vehicleState(position);
  const fixAt = parseDateTime(position.date);
  return { id: assetId ?? name, name, latitude, longitude, heading, speed, state, fixAt, isStale: isStale(position, now) };
}

const COMPASS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
const compassOf = (heading: number) => COMPASS[Math.round(heading / 45) % COMPASS.length] as string;

/** A duration in milliseconds in its largest fitting unit, such as "21 s" or "3 h". */
function roughly(duration: number): string {
  const seconds = Math.round(duration / 1000);
  if (seconds < 90) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** Two clocks can differ by this much. */
const CLOCK_SKEW = 1.5 * MINUTE;

/** The age of a fix, such as "21 s ago", "3 h ago" or, with a wrong clock, "5 h in the future". */
export function ageText(fixAt: number | undefined, now: number): string {
  if (fixAt === undefined) return "at an unknown time";
  return fixAt - now > CLOCK_SKEW ? `${roughly(fixAt - now)} in the future` : `${roughly(Math.max(0, now - fixAt))} ago`;
}

export const stateNames: Readonly<Record<VehicleState, string>> = {
  driving: "Driving",
  idling: "Idling",
  stopped: "Stopped",
  charging: "Charging",
  other: "Unknown activity",
};

/** What a vehicle does, or did when it sent a report that is stale. */
export const stateText = ({ state, isStale }: Pick<MapVehicle, "state" | "isStale">): string =>
  isStale ? `Last: ${stateNames[state].toLowerCase()}` : stateNames[state];

/** The speed of a moving vehicle, such as "78 km/h". */
export const paceText = ({ state, speed }: Pick<MapVehicle, "state" | "speed">): string | undefined =>
  state === "driving" && speed !== undefined ? `${Math.round(speed)} km/h` : undefined;

/** Describes a vehicle in words, for users who cannot see its marker. */
export function describeVehicle(vehicle: MapVehicle, now: number): string {
  const { name, state, heading, fixAt, isStale } = vehicle;
  const direction = state === "driving" && heading !== undefined ? compassOf(heading) : undefined;
  const doing = [stateNames[state].toLowerCase(), paceText(vehicle), direction].filter(Boolean).join(" ");
  return `${name}: ${doing}, ${isStale ? "last " : ""}seen ${ageText(fixAt, now)}`;
}
