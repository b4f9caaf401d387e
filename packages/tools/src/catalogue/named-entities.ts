import type { NamedEntity } from "@fleetwire/core";
import type { FleetView } from "../fleet/fleet-view.ts";
import { type Position, SOLD } from "../fleet/position.ts";
import { driverLabel, groupLabel, vehicleLabel } from "../names/entity-labels.ts";
import type { NameIndex } from "../names/name-index.ts";
import { DRIVERS, type EntityKind, GROUPS, requireMatch, VEHICLES } from "../names/single-match.ts";

interface EntitySpec<Value> {
  kind: EntityKind<Value>;
  hint: string;
  /** The possessive pronoun for the entity. */
  possessive: string;
  labelOf: (value: Value) => string;
  calledOf: (value: Value) => readonly (string | undefined)[];
  vehiclesOf?: (value: Value) => readonly Position[];
  isSold?: (value: Value) => boolean;
  idOf: (value: Value) => string | undefined;
  indexOf: (fleet: FleetView) => NameIndex<Value> | Promise<NameIndex<Value>>;
}

/** An entity that a name or an id refers to. */
export interface NamedValue {
  id: string | undefined;
  label: string;
  /** What records may call it: its id, name and registration. */
  called: readonly string[];
  /** The vehicles that a driver reports from. */
  vehicles: readonly Position[];
  /** Whether it is a vehicle that is no longer in the fleet. */
  isSold: boolean;
}

/** How to find and label one kind of entity. */
export interface EntityResolver {
  hint: string;
  possessive: string;
  /** Resolves a name; throws a `NameQuestion` if the match is not certain. */
  resolve: (query: string, field: string, fleet: FleetView) => Promise<NamedValue>;
  /** Returns the entity with an id; undefined if it is no longer in the fleet. */
  withId: (id: string, fleet: FleetView) => Promise<NamedValue | undefined>;
}

function entity<Value>({
  kind,
  hint,
  possessive,
  labelOf,
  calledOf,
  vehiclesOf,
  isSold,
  idOf,
  indexOf,
}: EntitySpec<Value>): EntityResolver {
  const named = (value: Value): NamedValue => ({
    id: idOf(value),
    label: labelOf(value),
    called: calledOf(value).flatMap((text) => text || []),
    vehicles: vehiclesOf?.(value) ?? [],
    isSold: isSold?.(value) ?? false,
  });
  return {
    hint,
    possessive,
    resolve: async (query, field, fleet) => named((await requireMatch(query, await indexOf(fleet), { ...kind, field })).value),
    withId: async (id, fleet) => {
      const known = (await indexOf(fleet)).get(id)?.value;
      return known && idOf(known) === id ? named(known) : undefined;
    },
  };
}

/** The kinds of entities that people refer to by name. */
export const entities: Readonly<Record<NamedEntity, EntityResolver>> = {
  vehicle: entity({
    kind: VEHICLES,
    hint: "Name, registration or id",
    possessive: "its",
    labelOf: vehicleLabel,
    calledOf: ({ assetId, assetName, assetRegistration }) => [assetId, assetName, assetRegistration],
    isSold: ({ status }) => status === SOLD,
    idOf: ({ assetId }) => assetId,
    indexOf: (fleet) => fleet.vehicles,
  }),
  driver: entity({
    kind: DRIVERS,
    hint: "Name or id",
    possessive: "their",
    labelOf: driverLabel,
    calledOf: ({ driverId, driverName }) => [driverId, driverName],
    vehiclesOf: ({ vehicles }) => vehicles,
    idOf: ({ driverId }) => driverId,
    indexOf: (fleet) => fleet.drivers(),
  }),
  group: entity({
    kind: GROUPS,
    hint: "Name or id",
    possessive: "its",
    labelOf: groupLabel,
    calledOf: ({ id, name }) => [id, name],
    idOf: ({ id }) => id,
    indexOf: (fleet) => fleet.groups(),
  }),
};
