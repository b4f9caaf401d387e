import { Fault, FleetError, operations, VehicleFaults } from "@fleetwire/core";
import * as z from "zod";
import { readPeriod } from "../aggregate/period.ts";
import { DEFAULT_LIMIT, fieldTypes, type ListArguments, listArguments } from "../arguments/tool-input.ts";
import { readFleet } from "../fleet/fleet-view.ts";
import { groupLabel, vehicleLabel } from "../names/labels.ts";
import { GROUPS, sureName, VEHICLES } from "../names/sure-name.ts";
import { plainText } from "../results/cell.ts";
import { PlaceInPage, readCursor, writeCursor } from "../results/cursor.ts";
import { listOutputSchema, listResult } from "../results/list-result.ts";
import { quotation } from "../results/quotation.ts";
import { ageOf } from "../results/time.ts";
import type { ToolContext } from "../tool.ts";
import { operationTool } from "./operation-tool.ts";

// A row is a fault with its vehicle: the names of both shapes never collide.
const { faults: _, ...vehicleTypes } = fieldTypes(VehicleFaults);
const rowTypes = { ...vehicleTypes, ...fieldTypes(Fault) };
const ages = { startAge: { type: "string" }, endAge: { type: "string" } };

const DEFAULT_FIELDS = ["id", "assetName", "assetRegistration", "code", "description", "startDate", "endDate", "inProgress"];

interface Named {
  vehicle?: string | undefined;
  group?: string | undefined;
  period?: string | undefined;
}

/** What people name as the service wants it, and how it was read. */
async function filterOf({ vehicle, group, period }: Named, context: ToolContext) {
  const notes: string[] = [];
  const filter: Record<string, unknown> = {};
  if (vehicle !== undefined || group !== undefined) {
    // Sold vehicles have faults too.
    const fleet = await readFleet(context, { withSold: true });
    if (vehicle !== undefined) {
      const { value } = sureName(vehicle, fleet.vehicles(), { ...VEHICLES, field: "vehicle" });
      if (value.assetId === undefined) {
        // Without a filter the service would give the faults of all.
        throw new FleetError(
          "input",
          `vehicle: the live positions give no id for ${quotation(vehicleLabel(value))}, so its faults cannot be asked for`,
          {
            advice: "Tell the user, or leave vehicle out and look for its faults among all",
          },
        );
      }
      filter["vehicleId"] = value.assetId;
      notes.push(`Only ${vehicleLabel(value)}.`);
    }
    if (group !== undefined) {
      const { value } = sureName(group, fleet.groups(), { ...GROUPS, field: "group" });
      filter["groupId"] = value.id;
      notes.push(`Only ${groupLabel(value)}.`);
    }
  }
  if (period !== undefined) {
    const { start, end, told } = readPeriod(period, context.now(), context.settings.timeZone);
    filter["startDate"] = new Date(start).toISOString();
    filter["endDate"] = new Date(end).toISOString();
    notes.push(`Period ${plainText(told, 140)}; the service describes these dates as service due dates.`);
  }
  return { filter, notes };
}

export const listVehicleFaults = operationTool(operations.listVehicleFaults, {
  arguments: {
    vehicle: z.string().min(1).optional().describe("Name or registration"),
    group: z.string().min(1).optional().describe("Name"),
    period: z.string().min(1).optional().describe("As in summarize_driver_activity; the service says due date"),
    ...listArguments,
  },
  unlisted: ["vehicleId", "groupId", "startDate", "endDate"],
  outputSchema: listOutputSchema({ ...rowTypes, ...ages }),
  run: async (
    { limit = DEFAULT_LIMIT, cursor, fields, vehicle, group, period, ...given }: ListArguments & Named & Record<string, unknown>,
    context,
  ) => {
    const { fleet, settings, callOptions } = context;
    const { filter, notes } = await filterOf({ vehicle, group, period }, context);
    const [pageSize, pageIndex, skipped] = readCursor(cursor, PlaceInPage) ?? [limit, 0, 0];
    const { items = [], pagination = {} } = await fleet.listVehicleFaults({ ...given, ...filter, pageSize, pageIndex }, callOptions);
    const page = items.flatMap(({ faults = [], ...vehicle }) => {
      const given: readonly (Fault | undefined)[] = faults.length > 0 ? faults : [undefined];
      return given.map((fault) => ({ vehicle, fault }));
    });
    const rows = page.slice(skipped, skipped + limit);
    const { totalPages } = pagination;
    const lastPage = items.length === 0 || (totalPages === undefined ? items.length < pageSize : pageIndex + 1 >= totalPages);
    return listResult(
      {
        what: ["fault", "faults"],
        rows: rows.map(({ vehicle, fault }) => ({ ...vehicle, ...fault })),
        total: pagination.totalItems,
        totalOf: ["vehicle with faults", "vehicles with faults"],
        fields: Object.keys(rowTypes),
        defaultFields: DEFAULT_FIELDS,
        notes: [...notes, ...(rows.every(({ fault }) => fault) ? [] : ["Some rows are vehicles of which no fault is given."])],
        columns: {
          startDate: { meaning: { field: "startAge", of: ageOf(context.now()) } },
          endDate: { meaning: { field: "endAge", of: ageOf(context.now()) } },
        },
        next: (shown) => {
          if (skipped + shown < page.length) return writeCursor([pageSize, pageIndex, skipped + shown]);
          return lastPage ? undefined : writeCursor([pageSize, pageIndex + 1, 0]);
        },
      },
      { fields },
      settings.maxResultTokens,
    );
  },
});
