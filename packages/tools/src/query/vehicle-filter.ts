import { LivePosition } from "@fleetwire/core";
import { isMoving, MOVING } from "@fleetwire/core/internal";
import * as z from "zod";
import { groupLabel } from "../fleet/entities.ts";
import type { FleetContext } from "../fleet/fleet-context.ts";
import type { FleetView } from "../fleet/fleet-view.ts";
import { type Position, positionFields } from "../fleet/position.ts";
import { type AreaFilter, areaFilter } from "../lookup/area-filter.ts";
import { type GivenNames, groupsNamed, labelsOf } from "../lookup/find-entities.ts";
import { kindsIn, vehicleKind } from "../lookup/vehicle-kind.ts";
import { singleLine } from "../text/clip-values.ts";
import { rowColumns } from "./row-columns.ts";
import { readConditions, rowsWhere, Where } from "./where.ts";

/** The arguments by which tools about vehicles choose them. Each such tool accepts all, and shows those that suit it. */
export interface VehicleChoice {
  in?: string | undefined;
  group?: GivenNames | undefined;
  type?: string | undefined;
  moving?: boolean | undefined;
  where?: string | undefined;
}

export const acceptedChoice = {
  in: z.string().min(1).optional(),
  type: z.string().min(1).optional(),
  moving: z.boolean().optional(),
};

export const acceptedWhere = { where: Where.optional() };

const held = Object.fromEntries(positionFields.map((field) => [field, true as const])) as Record<(typeof positionFields)[number], true>;

/** The fields by which vehicles can be chosen without another request. */
export const heldShape = { ...z.object(LivePosition.shape).pick(held).shape, moving: z.boolean() };

export const withMoving = <Vehicle extends Position>(positions: readonly Vehicle[], now: number): (Vehicle & { moving: boolean })[] =>
  positions.map((position) => ({ ...position, moving: isMoving(position, now) }));

interface VehicleFilter {
  /** The vehicles that meet `where`. */
  positions: readonly Position[];
  /** Whether a vehicle is of the group and type, and moving or not, wherever it is. */
  includes: (position: Position) => boolean;
  place: AreaFilter | undefined;
  /** What {@link includes} tests, in words: the group and type, and whether vehicles are moving. */
  only: string[];
  motion: string[];
  notes: string[];
}

/** Reads the arguments by which a model chooses vehicles. */
export async function vehicleFilter(choice: VehicleChoice, fleet: FleetView, context: FleetContext): Promise<VehicleFilter> {
  const { type, moving, where } = choice;
  const now = context.now();
  const place = choice.in === undefined ? undefined : await areaFilter(choice.in, "in", fleet, context.towns);
  const groups = choice.group === undefined ? undefined : await groupsNamed(choice.group, fleet);
  const groupIds = groups && new Set<unknown>(groups.map(({ id }) => id));
  const isKind = type === undefined ? undefined : vehicleKind(type);
  const source = { fields: Object.keys(heldShape), shape: heldShape, naming: "assetName", columns: rowColumns(heldShape) };
  const meeting =
    where === undefined
      ? undefined
      : await rowsWhere(readConditions(where), { ...source, rows: withMoving(fleet.positions, now) }, context);
  return {
    positions: meeting?.rows ?? fleet.positions,
    includes: (position) =>
      (groupIds === undefined || groupIds.has(position.assetGroupId)) &&
      (isKind === undefined || isKind(position)) &&
      (moving === undefined || isMoving(position, now) === moving),
    place,
    only: [...(groups ? [labelsOf(groups, groupLabel)] : []), ...(type === undefined ? [] : [`type ${singleLine(type, 40)}`])],
    motion: moving === undefined ? [] : [`${moving ? "" : "not "}moving (${MOVING})`],
    notes: [
      ...(isKind === undefined || fleet.positions.some(isKind) ? [] : [`The fleet has 0 of this type; ${kindsIn(fleet.positions)}.`]),
      ...(meeting?.notes ?? []),
    ],
  };
}
