import { operations, type RowQuery } from "@fleetwire/core";
import { articleOf, type Infringement } from "@fleetwire/driving-time";
import * as z from "zod";
import type { FleetContext, ReadTool } from "../fleet/fleet-context.ts";
import { acceptedDrivers, type ChosenBy, driverArguments, vehicleArgument } from "../lookup/chosen-drivers.ts";
import { hoursInRange, readBrokenRules, unreadNotes, vehiclesDriven } from "../past/driving-rules.ts";
import { pastPeriod, tachoQuestion } from "../past/tacho-question.ts";
import { compactOutputSchema, type Row } from "../query/list-result.ts";
import { acceptedList, type ListArguments, listArguments, listOf, type RowsAsked } from "../query/list-tool.ts";
import { type RowColumns, rowColumns } from "../query/row-columns.ts";
import { fieldMeant } from "../query/row-fields.ts";
import { toolInput } from "../query/tool-input.ts";
import { rowsWhere } from "../query/where.ts";
import { type Noun, pluralize } from "../text/pluralize.ts";
import { carriedSpan } from "../text/read-period.ts";
import { hoursAndMinutes } from "../text/time.ts";

const DEFAULT_PERIOD = "last week";
const NOUN: Noun = ["infringement", "infringements"];

interface Arguments extends ListArguments, ChosenBy {
  period?: string;
}

/** The columns, with the meaning of those whose names do not explain it. */
const COLUMNS = {
  driver: "",
  vehicle: "",
  rule: "",
  at: "when it was broken",
  over: "by how much, h:mm",
  limit: "",
  actual: "",
  certainty: "certain, or possible given what is not recorded",
  severity: "2016/403: MI minor, SI serious, VSI very, MSI most serious",
  doubts: "",
  article: "",
  start: "of the shift, week or period",
  end: "",
  driverId: "",
};

const BRIEF = ["driver", "vehicle", "rule", "at", "over", "certainty", "severity"];
const DETAILED = Object.keys(COLUMNS).filter((field) => field !== "driverId");
const ORDER: Pick<RowQuery, "order" | "ties"> = { order: "at", ties: ["driver", "rule"] };
const time = { isInstant: true, hasTime: true };
const columns: RowColumns = { ...rowColumns({}), shown: () => ({ at: time, start: time, end: time }) };
const ROW_TOKENS = 32;

const iso = (instant: number) => (Number.isFinite(instant) ? new Date(instant).toISOString() : undefined);

const rowOf = (one: Infringement, named: Row, vehicles: string[]): Row => ({
  driver: named["driver"],
  vehicle: vehicles.length > 0 ? vehicles : undefined,
  rule: one.also ? [one.rule, ...one.also] : one.rule,
  at: iso(one.at),
  over: hoursInRange(one.over),
  limit: hoursAndMinutes(one.limit),
  actual: hoursInRange(one.actual),
  certainty: one.certainty,
  severity: one.severity,
  doubts: one.doubts.length > 0 ? one.doubts : undefined,
  article: one.article,
  start: iso(one.start),
  end: iso(one.end),
  driverId: named["driverId"],
});

/** The columns of a list of drivers, the worst first. */
const DRIVER_COLUMNS = ["driver", "vehicle", "certain", "possible", "gravest", "group", "driverId"];
const DRIVER_ORDER: typeof ORDER = { order: "-certain", ties: ["driver", "driverId"] };
const GRAVEST_FIRST: readonly Infringement["severity"][] = ["MSI", "VSI", "SI", "MI", undefined];

function driverRowOf(found: readonly Infringement[], named: Row, vehicles: string[]): Row {
  const certain = found.filter(({ certainty }) => certainty === "certain");
  const rank = ({ severity }: Infringement) => GRAVEST_FIRST.indexOf(severity);
  const [gravest] = (certain.length > 0 ? certain : [...found]).sort((a, b) => rank(a) - rank(b) || b.over.atLeast - a.over.atLeast);
  return {
    ...named,
    vehicle: vehicles.length > 0 ? vehicles : undefined,
    certain: certain.length,
    possible: found.length - certain.length,
    gravest: gravest && [gravest.severity, gravest.rule, hoursInRange(gravest.over)].filter(Boolean).join(" "),
  };
}

const AVERAGE: Row = { rule: "averageWork", article: articleOf("averageWork") };

/** Whether conditions on rules or articles select the average of 17 weeks. */
async function isAverageAsked({ conditions }: RowsAsked, context: FleetContext): Promise<boolean> {
  const existing = { fields: Object.keys(COLUMNS), shape: {}, naming: "driver" };
  const about = conditions.filter(({ field }) => Object.hasOwn(AVERAGE, fieldMeant(field, existing) ?? ""));
  return about.length > 0 && (await rowsWhere(about, { ...existing, columns, rows: [AVERAGE] }, context)).rows.length > 0;
}

const underRules = (isAverage: boolean) =>
  `Under Regulation (EC) 561/2006 and Directive 2002/15/EC, from tachograph activities as recorded; no proof. Not considered: ${isAverage ? "" : "the average of 48 hours (where rule=averageWork), "}exceptions, other ferries and teams than recorded, entries not yet downloaded.`;

/** Whether a call asks only who broke rules, and not for what in particular. */
const isByDriver = ({ driver, vehicle, where, sort, count, fields }: Arguments) =>
  [driver, vehicle, where, sort, count, fields].every((one) => one === undefined);

export const driverInfringements: ReadTool = {
  name: "driver_infringements",
  title: "Driver infringements",
  description: "Which drivers broke EU rules on driving, breaks, rests and working time in a period, when and by how much.",
  effect: "read",
  operations: [operations.listLivePositions, operations.queryTachoActivity],
  ...toolInput(
    {
      ...driverArguments,
      period: z.string().min(1).optional().describe(`As in summarize_driver_activity; default ${DEFAULT_PERIOD}`),
      ...listArguments("rule=dailyRest, severity=MSI"),
    },
    { ...acceptedDrivers, ...acceptedList, vehicle: vehicleArgument },
  ),
  outputSchema: compactOutputSchema(COLUMNS),
  run: (args: Arguments, context) => {
    const order = isByDriver(args) ? DRIVER_ORDER : ORDER;
    return listOf(
      args,
      {
        order,
        carried: carriedSpan,
        read: async (asked, { period, ...chosenBy }: Arguments, before) => {
          const window = pastPeriod(period ?? DEFAULT_PERIOD, before, context);
          const question = await tachoQuestion(chosenBy, context);
          const isAverage = await isAverageAsked(asked, context);
          const { drivers: all, unplaced } = await readBrokenRules(question.wanted, window, isAverage, context);
          const records = all.map(({ record }) => record);
          const drivenBy = vehiclesDriven(question.fleet, context);
          const broke = all
            .filter(({ found }) => found.length > 0)
            .map(({ record, found }) => ({ found, named: question.rowOf(record), vehiclesIn: drivenBy(record) }));
          const total = broke.reduce((sum, { found }) => sum + found.length, 0);
          const hasNamesakes = new Set(broke.map(({ named }) => named["driver"])).size < broke.length;
          const list = isByDriver(args)
            ? {
                noun: ["driver with infringements", "drivers with infringements"] as Noun,
                rows: broke.map(({ found, named, vehiclesIn }) => driverRowOf(found, named, vehiclesIn(window))),
                fields: DRIVER_COLUMNS,
                defaultFields: hasNamesakes ? DRIVER_COLUMNS : DRIVER_COLUMNS.slice(0, 5),
              }
            : {
                noun: NOUN,
                rows: broke.flatMap(({ found, named, vehiclesIn }) => found.map((one) => rowOf(one, named, vehiclesIn(one)))),
                fields: Object.keys(COLUMNS),
                defaultFields: hasNamesakes ? [...BRIEF, "driverId"] : BRIEF,
                moreFields: DETAILED,
              };
          return {
            carried: [window.start, window.end],
            rows: {
              ...list,
              rowTokens: ROW_TOKENS,
              shape: {},
              naming: "driver",
              columns,
              notes: [
                ...question.notesOn({ records, unplaced }),
                `Period ${window.text}.`,
                ...(isByDriver(args) && total > 0 ? [`${pluralize(total, NOUN)}, listed if driver or where is given.`] : []),
                ...unreadNotes(all, "Not judged:", question.nameOf),
                underRules(isAverage),
              ],
            },
          };
        },
      },
      context,
    );
  },
};
