import { operations, TachoActivity, TachoDriver } from "@fleetwire/core";
import { DEFAULT_LIMIT, fieldTypes, type ListArguments, listArguments } from "../arguments/tool-input.ts";
import { PlaceInRecords, readCursor, writeCursor } from "../results/cursor.ts";
import { listOutputSchema, listResult } from "../results/list-result.ts";
import { operationTool } from "./operation-tool.ts";

const { activities: _, ...driverTypes } = fieldTypes(TachoDriver);
const rowTypes = { ...driverTypes, ...fieldTypes(TachoActivity) };

const DEFAULT_FIELDS = [
  "driverId",
  "driverKey",
  "startTime",
  "endTime",
  "type",
  "activity",
  "inProgress",
  "vehicleFriendlyName",
  "assetRegistration",
];

export const queryTachoActivity = operationTool(operations.queryTachoActivity, {
  arguments: listArguments,
  unlisted: ["sort"],
  hints: {
    driverKeys: "Full driver keys: 14 characters and issue number",
    registrations: "As the service has them",
  },
  outputSchema: listOutputSchema(rowTypes),
  run: async (
    { limit = DEFAULT_LIMIT, cursor, fields, ...query }: ListArguments & { startTime: string; endTime: string },
    { fleet, callOptions },
  ) => {
    const [skip, skipped] = readCursor(cursor, PlaceInRecords) ?? [0, 0];
    const { count, data } = await fleet.queryTachoActivity({ ...query, skip, limit }, callOptions);
    const all = data.flatMap(({ activities = [], ...driver }, entry) =>
      activities.map((activity) => ({ entry, row: { ...driver, ...activity } })),
    );
    const rest = all.slice(skipped);
    const shownOf = rest.slice(0, limit);
    return listResult(
      {
        what: ["activity", "activities"],
        rows: shownOf.map(({ row }) => row),
        total: count,
        totalOf: ["driver entry", "driver entries"],
        fields: Object.keys(rowTypes),
        defaultFields: DEFAULT_FIELDS,
        next: (shown) => {
          const at = rest[shown];
          if (!at) return data.length > 0 && skip + data.length < count ? writeCursor([skip + data.length, 0]) : undefined;
          const firstOfEntry = all.findIndex(({ entry }) => entry === at.entry);
          return writeCursor([skip + at.entry, skipped + shown - firstOfEntry]);
        },
        notes: ["Units of duration and distance are not documented."],
      },
      { fields },
    );
  },
});
