import type { NamedEntity } from "@fleetwire/core";
import { driverLabel, groupLabel, vehicleLabel } from "../fleet/entity-labels.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { type Position, SOLD } from "../fleet/position.ts";
import { groupsCalled } from "../lookup/named-vehicles.ts";
import { DRIVERS, type EntityKind, GROUPS, type MatchOptions, matchIn, VEHICLES } from "../lookup/single-match.ts";
import type { NameIndex } from "../names/name-index.ts";
import { resolveName } from "../names/resolve-name.ts";
import { generatedId, shownId } from "../names/shown-id.ts";
import { singleLine } from "../text/clip-values.ts";

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
  /** Reads an id that results show although live positions do not have it. */
  unknownIdIn?: (query: string) => string | undefined;
  /** Finds several by what their names have in common. */
  called?: (query: string, index: NameIndex<Value>, options: MatchOptions<Value>) => Promise<readonly Value[]>;
}

/** An entity that a name or an id refers to. */
export interface NamedValue {
  id: string | undefined;
  label: string;
  /** What records may call it: its id, name, registration and VIN. */
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
  /** Resolves a name, which several groups may have in common; throws a `NameQuestion` if the match is not certain. */
  resolve: (query: string, field: string, fleet: FleetView) => Promise<readonly NamedValue[]>;
  /** Returns the entity with an id; undefined if it is no longer in the fleet. */
  withId: (id: string, fleet: FleetView) => Promise<NamedValue | undefined>;
}

/** An entity that live positions do not have. */
export const unknownEntity = (id: string): NamedValue => ({
  id,
  label: `id ${singleLine(id, 40)}, not in live positions`,
  called: [id],
  vehicles: [],
  isSold: false,
});

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
  unknownIdIn,
  called,
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
    resolve: async (query, field, fleet) => {
      const index = await indexOf(fleet);
      if (called) return (await called(query, index, { ...kind, field })).map(named);
      const resolution = await resolveName(query, index);
      const id = resolution.result === "notFound" ? unknownIdIn?.(query) : undefined;
      return [id === undefined ? named((await matchIn(resolution, query, { ...kind, field })).value) : unknownEntity(id)];
    },
    withId: async (id, fleet) => {
      const existing = (await indexOf(fleet)).get(id)?.value;
      return existing && idOf(existing) === id ? named(existing) : undefined;
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
    calledOf: ({ assetId, assetName, assetRegistration, assetVin }) => [assetId, assetName, assetRegistration, assetVin],
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
    unknownIdIn: (query) => shownId(query) ?? generatedId(query),
  }),
  group: entity({
    kind: GROUPS,
    hint: "Name or id",
    possessive: "its",
    labelOf: groupLabel,
    calledOf: ({ id, name }) => [id, name],
    idOf: ({ id }) => id,
    indexOf: (fleet) => fleet.groups(),
    called: groupsCalled,
  }),
};
