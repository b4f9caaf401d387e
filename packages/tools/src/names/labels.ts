import type { Position } from "../fleet/privacy.ts";
import { singleLineOrUndefined } from "../results/clip-values.ts";
import type { Driver, NamedGroup, Place } from "./fleet-names.ts";

/** Characters of each part of a label. */
export const LABEL_LENGTH = 40;

/** The first two parts that say something: "Truck 12 (KX21 ABC)". */
function label(noun: string, parts: readonly (string | undefined)[], maxLength = LABEL_LENGTH): string {
  const [name = `${noun} without a name`, more] = parts.flatMap((part) => singleLineOrUndefined(part, maxLength) ?? []);
  return more === undefined ? name : `${name} (${more})`;
}

/** A vehicle as people know it from others: its name, and its registration or else its id. */
export const vehicleLabel = ({ assetName, assetRegistration, assetId }: Position, maxLength?: number): string =>
  label("Vehicle", [assetName, assetRegistration, assetId], maxLength);

/** A vehicle by one text: its name, else its registration, else its id. */
export const vehicleName = ({ assetName, assetRegistration, assetId }: Position): string =>
  assetName ?? assetRegistration ?? assetId ?? "-";

export const driverLabel = ({ driverName, driverId }: Driver): string => label("Driver", [driverName, driverId]);

export const groupLabel = ({ name, id }: NamedGroup): string => label("Group", [name, id]);

export const placeLabel = ({ name }: Place): string => label("Location", [name]);
