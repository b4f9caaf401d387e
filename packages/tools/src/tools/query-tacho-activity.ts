import { FleetError, metadataOf, operations } from "@fleetwire/core";
import { parseDateTime, rowFields } from "@fleetwire/core/internal";
import * as z from "zod";
import { ACTIVITY_SPAN, observedUnit, type TachoRecord } from "../fleet/activity-words.ts";
import type { FleetContext, ReadTool } from "../fleet/fleet-context.ts";
import { PLACES_WITHHELD } from "../fleet/private-journeys.ts";
import { withoutOddEnd } from "../fleet/spans.ts";
import { hasRecordIn, type TachoFilter } from "../fleet/tacho-records.ts";
import { acceptedDrivers, type ChosenBy, driverArguments, vehicleArgument } from "../lookup/chosen-drivers.ts";
import { listedDrivers, tachoQuestion } from "../past/tacho-question.ts";
import { operationTool } from "../query/derived-tool.ts";
import { compactOutputSchema, type Row } from "../query/list-result.ts";
import { acceptedList, type ListArguments, listArguments, listOf } from "../query/list-tool.ts";
import { isWithin } from "../query/operation-list.ts";
import { rowColumns } from "../query/row-columns.ts";
import type { Key } from "../query/row-order.ts";
import { toolInput } from "../query/tool-input.ts";
import { carriedSpan, periodOf, requireReadable } from "../text/read-period.ts";
import { timesOf } from "../text/time.ts";

const operation = operations.queryTachoActivity;

const DEFAULT_PERIOD = "last 24 hours";

interface Arguments extends ListArguments, ChosenBy, TachoFilter {
  period?: string;
  startTime?: string;
  endTime?: string;
}

const text = z.string();

const query = operation.tool?.rows?.query;
// Without an end, an activity is in progress: another column would say no more.
const order = query && { order: query.order, ties: query.ties };

const shape: Readonly<Record<string, z.ZodType>> = { driver: text, ...rowFields(operation), [PLACES_WITHHELD]: text };
const derived = rowColumns(shape);
/** Without the time of day, an activity says nothing. */
const columns: typeof derived = {
  ...derived,
  shown: (now) => {
    const shown = derived.shown(now);
    return { ...shown, ...Object.fromEntries(["startTime", "endTime"].map((field) => [field, { ...shown[field], hasTime: true }])) };
  },
};
const defaultFields = ["driver", "startTime", "endTime", "activity", "vehicleFriendlyName"];
const places = Object.keys(shape).filter((field) => shape[field] && metadataOf(shape[field])?.withheld);

interface Window {
  start: number;
  end: number;
  notes: string[];
  /** The start and end for later pages, so that "last 24 hours" means the same there. */
  carried: number[];
}

function windowOf({ period, startTime, endTime }: Arguments, before: Key | undefined, context: FleetContext): Window {
  const [start, end] = [parseDateTime(startTime), parseDateTime(endTime)];
  if (period === undefined && start !== undefined && end !== undefined) {
    if (end < start) throw new FleetError("input", "endTime: must not be before startTime", { advice: "Swap them" });
    requireReadable({ start, end }, `${startTime}/${endTime}`);
    return { start, end, notes: [], carried: [] };
  }
  if (startTime !== undefined || endTime !== undefined)
    throw new FleetError("input", "startTime and endTime go together, without period", { advice: "Pass both, or only period" });
  const read = periodOf(period ?? DEFAULT_PERIOD, before, timesOf(context), context.settings.timeZone);
  return { start: read.start, end: read.end, notes: [`Period ${read.text}.`], carried: [read.start, read.end] };
}

const rowsOf = ({ driverId, driverKey, lacksKey, activities }: TachoRecord, driver: string): Row[] =>
  activities.map((activity) => ({ driver, driverId, ...(!lacksKey && { driverKey }), ...withoutOddEnd(activity, ACTIVITY_SPAN) }));

/** Says in which rows the places that a model asked for are withheld, and what has no documented unit, or which one a profile observed. */
function notesOn(rows: readonly Row[], fields: readonly string[], { profile }: FleetContext["settings"]): string[] {
  const withheld = fields.some((field) => places.includes(field)) ? rows.filter((row) => row[PLACES_WITHHELD] !== undefined) : [];
  const asked = (["duration", "distance"] as const).filter((field) => fields.includes(field));
  const observed = asked.flatMap((field) => (observedUnit(field, profile) ? [`${field} in ${observedUnit(field, profile)}`] : []));
  const unitless = asked.filter((field) => observedUnit(field, profile) === undefined);
  return [
    ...(withheld.length > 0 ? [`Places withheld in ${withheld.length} of ${rows.length}: ${withheld[0]?.[PLACES_WITHHELD]}.`] : []),
    ...(observed.length > 0 ? [`Observed, not documented: ${observed.join(", ")}.`] : []),
    ...(unitless.length > 0 ? [`The unit of ${unitless.join(" and ")} is not documented.`] : []),
  ];
}

/** Individual activities. Drivers and vehicles are named; the service finds them by driver key and registration. */
export const queryTachoActivity: ReadTool = {
  ...operationTool(operation, {
    outputSchema: compactOutputSchema(),
    run: (args: Arguments, context) =>
      listOf(
        args,
        {
          order,
          carried: carriedSpan,
          read: async (_, given: Arguments, before) => {
            const window = windowOf(given, before, context);
            const { vehicle, ...others } = given;
            const question = await tachoQuestion({ ...others, inVehicle: vehicle }, context, false);
            const found = await question.read(window);
            const named = given.driver === undefined ? [] : (question.wanted?.drivers ?? []);
            const rows = found.records.flatMap((record) => rowsOf(record, question.nameOf(record)));
            const within = rows.filter((row) => isWithin(row, ACTIVITY_SPAN, window, false));
            const outside = rows.length - within.length;
            return {
              carried: window.carried,
              rows: {
                noun: operation.tool?.rows?.noun ?? ["activity", "activities"],
                rows: within,
                fields: Object.keys(shape),
                shape,
                naming: "driver",
                columns,
                defaultFields,
                notes: [
                  ...(named.some(hasRecordIn(found.records)) ? [`Only ${listedDrivers(named)}.`] : []),
                  ...question.notesOn(found),
                  ...window.notes,
                  ...(outside > 0 ? [`Left out, not in the period: ${outside}.`] : []),
                ],
                notesOn: (page, shown) => notesOn(page, shown, context.settings),
              },
            };
          },
        },
        context,
      ),
  }),
  ...toolInput(
    {
      period: text.min(1).optional().describe(`As in summarize_driver_activity; default ${DEFAULT_PERIOD}`),
      ...driverArguments,
      vehicle: vehicleArgument,
      ...listArguments(query?.example ?? ""),
    },
    {
      ...acceptedList,
      ...acceptedDrivers,
      ...Object.fromEntries(
        ["startTime", "endTime", "driverKeys", "registrations"].flatMap((field) => {
          const schema = operation.body?.[field];
          return schema ? [[field, schema.optional()]] : [];
        }),
      ),
    },
  ),
};
