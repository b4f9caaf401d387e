import type { NamedEntity } from "@fleetwire/core";
import type { FleetView } from "../fleet/fleet-view.ts";
import { driverNames, groupNames, vehicleNames } from "../names/fleet-names.ts";
import { driverLabel, groupLabel, vehicleLabel } from "../names/labels.ts";
import type { Named } from "../names/name-entry.ts";
import type { NameIndex } from "../names/name-index.ts";
import { DRIVERS, GROUPS, type Kind, sureName, VEHICLES } from "../names/single-match.ts";

interface ThingSpec<Value> {
  kind: Kind<Value>;
  hint: string;
  /** The possessive of one. */
  its: string;
  labelOf: (value: Value) => string;
  idOf: (value: Value) => string | undefined;
  indexOf: (fleet: FleetView) => NameIndex<Value>;
  namesOf: (positions: FleetView["positions"]) => readonly Named<Value>[];
}

/** What one kind of thing is called and how it is found, whatever its type. */
export interface Thing {
  hint: string;
  its: string;
  /** What a name means; throws a question where it is not sure. */
  meant: (said: string, field: string, fleet: FleetView) => { id: string | undefined; label: string };
  /** The label of an id; undefined where the fleet no longer has it. */
  labelOfId: (id: string, fleet: FleetView) => string | undefined;
}

function thing<Value>({ kind, hint, its, labelOf, idOf, indexOf, namesOf }: ThingSpec<Value>): Thing {
  return {
    hint,
    its,
    meant: (said, field, fleet) => {
      const { value } = sureName(said, indexOf(fleet), { ...kind, field });
      return { id: idOf(value), label: labelOf(value) };
    },
    labelOfId: (id, fleet) => {
      const known = namesOf(fleet.positions).find(({ value }) => idOf(value) === id);
      return known && labelOf(known.value);
    },
  };
}

/** What people name. */
export const things: Readonly<Record<NamedEntity, Thing>> = {
  vehicle: thing({
    kind: VEHICLES,
    hint: "Name or registration",
    its: "its",
    labelOf: vehicleLabel,
    idOf: ({ assetId }) => assetId,
    indexOf: (fleet) => fleet.vehicles(),
    namesOf: vehicleNames,
  }),
  driver: thing({
    kind: DRIVERS,
    hint: "Name",
    its: "their",
    labelOf: driverLabel,
    idOf: ({ driverId }) => driverId,
    indexOf: (fleet) => fleet.drivers(),
    namesOf: driverNames,
  }),
  group: thing({
    kind: GROUPS,
    hint: "Name",
    its: "its",
    labelOf: groupLabel,
    idOf: ({ id }) => id,
    indexOf: (fleet) => fleet.groups(),
    namesOf: groupNames,
  }),
};
