import type { NamedEntity } from "@fleetwire/core";
import type { FleetView } from "../fleet/fleet-view.ts";
import { driverLabel, groupLabel, vehicleLabel } from "../names/labels.ts";
import type { NameIndex } from "../names/name-index.ts";
import { DRIVERS, type EntityKind, GROUPS, requireMatch, VEHICLES } from "../names/single-match.ts";

interface EntitySpec<Value> {
  kind: EntityKind<Value>;
  hint: string;
  /** The possessive pronoun for the entity. */
  possessive: string;
  labelOf: (value: Value) => string;
  idOf: (value: Value) => string | undefined;
  indexOf: (fleet: FleetView) => NameIndex<Value> | Promise<NameIndex<Value>>;
}

/** How to find and label one kind of entity. */
export interface EntityResolver {
  hint: string;
  possessive: string;
  /** Resolves a name; throws a `NameQuestion` if the match is not certain. */
  resolve: (query: string, field: string, fleet: FleetView) => Promise<{ id: string | undefined; label: string }>;
  /** Returns the label for an id; undefined if it is no longer in the fleet. */
  labelOfId: (id: string, fleet: FleetView) => Promise<string | undefined>;
}

function entity<Value>({ kind, hint, possessive, labelOf, idOf, indexOf }: EntitySpec<Value>): EntityResolver {
  return {
    hint,
    possessive,
    resolve: async (query, field, fleet) => {
      const { value } = requireMatch(query, await indexOf(fleet), { ...kind, field });
      return { id: idOf(value), label: labelOf(value) };
    },
    labelOfId: async (id, fleet) => {
      const known = (await indexOf(fleet)).get(id)?.value;
      return known && idOf(known) === id ? labelOf(known) : undefined;
    },
  };
}

/** The kinds of entities that people refer to by name. */
export const entities: Readonly<Record<NamedEntity, EntityResolver>> = {
  vehicle: entity({
    kind: VEHICLES,
    hint: "Name or registration",
    possessive: "its",
    labelOf: vehicleLabel,
    idOf: ({ assetId }) => assetId,
    indexOf: (fleet) => fleet.vehicles,
  }),
  driver: entity({
    kind: DRIVERS,
    hint: "Name",
    possessive: "their",
    labelOf: driverLabel,
    idOf: ({ driverId }) => driverId,
    indexOf: (fleet) => fleet.drivers(),
  }),
  group: entity({
    kind: GROUPS,
    hint: "Name",
    possessive: "its",
    labelOf: groupLabel,
    idOf: ({ id }) => id,
    indexOf: (fleet) => fleet.groups(),
  }),
};
