import type { Operation } from "@fleetwire/core";
import { parseDateTime, rowFields } from "@fleetwire/core/internal";
import * as z from "zod";
import type { FleetContext } from "../fleet/fleet-context.ts";
import { readFleet } from "../fleet/fleet-reader.ts";
import type { SpanFields } from "../fleet/spans.ts";
import type { ToolSettings } from "../model/tool.ts";
import { pluralize, VEHICLE } from "../text/pluralize.ts";
import type { Row } from "./list-result.ts";
import { fieldsUsed, type ListOrder, type ListRows, type RowsAsked } from "./list-tool.ts";
import type { ResolvedInputs } from "./named-inputs.ts";
import { type ReadEntries, readEntries } from "./read-entries.ts";
import { type RowColumns, rowColumns } from "./row-columns.ts";
import { fieldMeant } from "./row-fields.ts";
import { acceptedChoice, type VehicleChoice, vehicleFilter } from "./vehicle-filter.ts";

type Shape = Readonly<Record<string, z.ZodType>>;

/** What to read of an operation. */
interface RowsRequest {
  asked: RowsAsked;
  resolved: ResolvedInputs;
  /** The arguments other than names, period and query. */
  others: Readonly<Record<string, unknown>>;
}

/** Reads all rows of an operation's list. */
export interface OperationRows {
  /** Arguments in addition to the operation's input. */
  arguments?: Readonly<Record<string, z.ZodType>>;
  /** Schemas that validate arguments in place of the ones shown to models. */
  accepts?: Readonly<Record<string, z.ZodType>>;
  noun: ListRows["noun"];
  /** Conditions, as an example for the model. */
  example: string;
  order: ListOrder;
  read: (request: RowsRequest, context: FleetContext) => Promise<ListRows>;
}

/** Fields that a tool adds to the rows of an operation. */
interface AddedFields {
  shape: Shape;
  /** Adds the fields to the rows; called if any of them is used. */
  add: (rows: readonly Row[], context: FleetContext) => Promise<Row[]>;
}

/** Additions to a list that is filtered, sorted and counted by the tool. */
export interface ListOverrides {
  /** Notes added to every result. */
  notes?: readonly string[];
  /** A remark to add after the period in the result's note. */
  periodNote?: string;
  /** Input fields that are always sent, whatever the model requests. */
  fixedInput?: (settings: ToolSettings) => Readonly<Record<string, unknown>>;
  addedFields?: AddedFields;
  /** Whether rows have the fields of a vehicle's position, so that they can be chosen like vehicles. */
  isOfVehicles?: boolean;
  /** Selects one of several rows that are about the same thing. */
  oneOfEach?: (rows: readonly Row[], input: ResolvedInputs["input"], context: FleetContext) => Promise<readonly Row[]>;
  /** Reads the rows without calling the operation; undefined if it has to be called. */
  readRows?: (request: RowsRequest, used: readonly string[], context: FleetContext) => Promise<readonly Row[] | undefined>;
  /** Input fields required by the fields that rows are filtered, sorted or counted by, or by what was named. */
  inputFor?: (used: readonly string[], resolved: ResolvedInputs) => Readonly<Record<string, unknown>>;
  /** Notes that depend on the rows and fields shown. */
  notesOn?: ListRows["notesOn"];
  /** Adds the fields that {@link readRows} does not return to the rows shown. */
  complete?: NonNullable<ListRows["complete"]>;
}

/** Returns one input for each id if the operation takes only a single id. */
function inputsFor({ input, several }: ResolvedInputs, others: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  return Object.entries(several).reduce(
    (inputs, [field, ids]) => inputs.flatMap((one) => ids.map((id) => ({ ...one, [field]: id }))),
    [{ ...others, ...input }],
  );
}

/** Whether a row was active at any time in the period, or began in it. A row without a readable start is active. */
export function isWithin(row: Row, [from, until]: SpanFields, { start, end }: { start: number; end: number }, begun: boolean): boolean {
  const [began, ended] = [parseDateTime(row[from]), parseDateTime(row[until])];
  if (began === undefined) return !begun;
  return began < end && (begun ? began >= start : ended === undefined || ended > start);
}

/** Keeps the rows of the vehicles that a model chose. Private journeys are in no place. */
async function chosenRows(rows: readonly Row[], choice: VehicleChoice, context: FleetContext) {
  const { includes, place, only, motion, notes } = await vehicleFilter(choice, await readFleet(context), context);
  const chosen = rows.filter((row) => includes(row));
  const hidden = place ? chosen.filter(({ privacy }) => privacy === true).length : 0;
  return {
    rows: place ? chosen.filter((row) => place.includes(row)) : chosen,
    notes: [
      `Only ${[...only, ...motion, ...(place ? [`in ${place.label}`] : [])].join(", ")}.`,
      ...(hidden > 0 && context.settings.privacy !== "off" ? [`Left out, on private journeys: ${hidden}.`] : []),
      ...notes,
    ],
  };
}

const BEGUN = "Only those begun in it.";
const ACTIVE = "Active in it, even if begun earlier; begun=true leaves those out.";

const WITHHELD = "Whereabouts on private journeys are withheld.";

/** Returns a note if whereabouts in the records are withheld. */
export function notesOn(records: readonly Row[], { guard }: Pick<RowColumns, "guard">, { settings }: FleetContext): string[] {
  const isWithheld = guard !== undefined && settings.privacy !== "off" && records.some((record) => record[guard.field] === guard.withholds);
  return isWithheld ? [WITHHELD] : [];
}

/** Returns the rows of an operation as the contract describes them; undefined if it returns no list. */
export function operationRows(operation: Operation, overrides: ListOverrides): OperationRows | undefined {
  const rows = operation.tool?.rows;
  const own = rowFields(operation);
  if (!rows || !own) return undefined;
  const { query, noun, columns: defaultFields } = rows;
  const { fixedInput, addedFields, readRows, inputFor, oneOfEach, notes = [] } = overrides;
  const added = Object.entries(addedFields?.shape ?? {}).filter(([field]) => !Object.hasOwn(own, field));
  const shape = { ...own, ...Object.fromEntries(added) };
  const described = new Set(operation.tool?.description.match(/\w+/g));
  const main = Object.keys(shape).filter((field) => described.has(field));
  const existing = { noun, fields: Object.keys(shape), shape, main, naming: defaultFields[0] };
  const columns = rowColumns(shape);
  const active = query?.active;

  const readAll = async ({ resolved, others }: RowsRequest, used: readonly string[], context: FleetContext) => {
    const inputs = inputsFor(resolved, { ...others, ...fixedInput?.(context.settings), ...inputFor?.(used, resolved) });
    const { all, ...read } = await readEntries(operation, rows, inputs, context);
    return { ...read, all: (await oneOfEach?.(all, resolved.input, context)) ?? all };
  };

  return {
    noun,
    order: query,
    example: query?.example ?? "field=value",
    ...(active && { arguments: { begun: z.boolean().optional().describe("Only if begun in period") } }),
    ...(overrides.isOfVehicles && { accepts: acceptedChoice }),
    read: async (request, context) => {
      const { asked, resolved } = request;
      const { begun = false, in: place, type, moving, ...others } = request.others as { begun?: boolean } & VehicleChoice;
      const choice = { in: place, type, moving };
      const isChosen = Object.values(choice).some((value) => value !== undefined);
      const queried = fieldsUsed(asked, existing);
      const used = [...queried, ...(asked.fields ?? []).flatMap((field) => fieldMeant(field, existing) ?? [])];
      const held = await readRows?.({ ...request, others }, queried, context);
      const { all, bare, part }: ReadEntries = held
        ? { all: held, bare: 0, part: undefined }
        : await readAll({ ...request, others }, queried, context);
      const { span } = resolved;
      const within = span && active ? all.filter((row) => isWithin(row, active, span, begun)) : all;
      const isAdded = addedFields && (isChosen || used.some((field) => !Object.hasOwn(own, field)));
      const complete = isAdded ? await addedFields.add(within, context) : within;
      const chosen = isChosen ? await chosenRows(complete, choice, context) : { rows: complete, notes: [] };
      return {
        rows: chosen.rows,
        ...existing,
        columns,
        defaultFields,
        ...(within !== all && active && { askedFields: active.slice(0, 2) }),
        part,
        complete: held && overrides.complete,
        notes: [
          ...chosen.notes,
          ...(span && active ? [begun ? BEGUN : ACTIVE] : begun ? ["begun has no effect without a period."] : []),
          ...(bare > 0 ? [`Also listed, without any ${noun[0]}: ${pluralize(bare, VEHICLE)}.`] : []),
          ...notes,
        ],
        notesOn: (page, fields) => [...notesOn(page, columns, context), ...(overrides.notesOn?.(page, fields) ?? [])],
      };
    },
  };
}
