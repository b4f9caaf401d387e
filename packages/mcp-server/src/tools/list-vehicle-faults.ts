import { Fault, operations, VehicleFaults } from "@fleetwire/core";
import { PlaceInPage, readCursor, writeCursor } from "../results/cursor.ts";
import { listOutputSchema, listResult } from "../results/list-result.ts";
import { operationTool } from "./operation-tool.ts";
import { DEFAULT_LIMIT, fieldTypes, type ListArguments, listArguments } from "./tool-input.ts";

// A row is a fault with its vehicle: the names of both shapes never collide.
const { faults: _, ...vehicleTypes } = fieldTypes(VehicleFaults);
const rowTypes = { ...vehicleTypes, ...fieldTypes(Fault) };

const DEFAULT_FIELDS = ["id", "assetName", "assetRegistration", "code", "description", "startDate", "endDate", "inProgress"];

export const listVehicleFaults = operationTool(operations.listVehicleFaults, {
  arguments: listArguments,
  hints: { startDate: "From this UTC time; the service calls it a due date", endDate: "Until this UTC time; likewise" },
  outputSchema: listOutputSchema(rowTypes),
  run: async (
    { limit = DEFAULT_LIMIT, cursor, fields, ...filter }: ListArguments & Record<string, unknown>,
    { fleet, settings, callOptions },
  ) => {
    const [pageSize, pageIndex, skipped] = readCursor(cursor, PlaceInPage) ?? [limit, 0, 0];
    const { items = [], pagination = {} } = await fleet.listVehicleFaults({ ...filter, pageSize, pageIndex }, callOptions);
    const page = items.flatMap(({ faults = [], ...vehicle }) =>
      faults.length > 0 ? faults.map((fault) => ({ ...vehicle, ...fault })) : [vehicle],
    );
    const { totalPages } = pagination;
    const lastPage = items.length === 0 || (totalPages === undefined ? items.length < pageSize : pageIndex + 1 >= totalPages);
    return listResult(
      {
        what: "faults",
        rows: page.slice(skipped, skipped + limit),
        total: pagination.totalItems,
        totalOf: "vehicles with faults",
        fields: Object.keys(rowTypes),
        defaultFields: DEFAULT_FIELDS,
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
