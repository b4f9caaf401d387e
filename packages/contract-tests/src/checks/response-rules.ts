import { metadataOf, type Operation, type OperationName, operations, type RequestField, requestFields } from "@fleetwire/core";
import { definitionOf, isOptional, parseDateTime, rowFields, unwrapSchema } from "@fleetwire/core/internal";
import * as z from "zod";
import { formOf, valuesAt } from "../json-values.ts";

/** A year such as 0001, which services send in place of a missing date, is still a date-time. */
const isDateTime = (text: string) => parseDateTime(text) !== undefined || parseDateTime(text.replace(/^00/, "20")) !== undefined;

/** Texts of fields that the interface describes as date-time, each with its path. */
function dateTexts(optional: z.core.$ZodType, value: unknown, path: string): { path: string; text: string }[] {
  if (value === undefined || value === null) return [];
  const schema = unwrapSchema(optional);
  const { shape, element } = definitionOf(schema);
  if (element) return Array.isArray(value) ? value.flatMap((one) => dateTexts(element, one, `${path}[*]`)) : [];
  if (shape) return Object.entries(shape).flatMap(([name, field]) => dateTexts(field, (value as never)[name], `${path}.${name}`));
  const isTime = z.globalRegistry.get(schema)?.["format"] === "date-time";
  return isTime && typeof value === "string" ? [{ path, text: value }] : [];
}

type Json = Record<string, unknown>;

/** How a response differs from what was requested. Reports may be logged, so neither property contains a record's value. */
export interface Violation {
  /** Such as `$[*].assetId`. */
  path: string;
  kind: string;
  expected: string;
  /** What the response has instead: types, or words of ours. */
  actual: string[];
  /** The form of values, such as `99.9` for 12.5. */
  examples?: string[];
  /** How many records differ, of how many. */
  records?: number;
  of?: number;
}

/** A violation that some of the records show, or none. */
const ofSome = (path: string, kind: string, expected: string, actual: string, records: number, of: number): Violation[] =>
  records > 0 ? [{ path, kind, expected, actual: [actual], records, of }] : [];

/** A violation of the response as a whole, if it is one. */
const ofAll = (isViolated: boolean, path: string, kind: string, expected: string, actual: string) =>
  ofSome(path, kind, expected, actual, Number(isViolated), 1);

/** A parameter that selects records: each one at the path has one of the requested values. */
interface Selection {
  records: string;
  field: string;
}

/** The field to compare for parameters whose names do not reveal it. */
const COMPARED: Readonly<Record<string, string>> = { "listVehicleFaults vehicleId": "id" };

/** The record field for a parameter: `driverId` for `driverIds`, possibly `assetId` for `vehicleIds` and `assetRegistration` for `registrations`. */
function comparedField(operation: Operation, parameter: string, fields: readonly string[]): string | undefined {
  const one = parameter.replace(/s$/, "");
  const known = COMPARED[`${operation.name} ${parameter}`] ?? [one, one.replace("vehicle", "asset")].find((name) => fields.includes(name));
  return known ?? fields.find((name) => name.endsWith(`${one[0]?.toUpperCase()}${one.slice(1)}`));
}

const isFilter = ({ paging, tool, secretOutput }: Operation, name: string, { in: place, schema }: RequestField): boolean => {
  if (place === "path" || secretOutput || !isOptional(schema)) return false;
  const pagingFields = paging ? (paging.kind === "page" ? [paging.index, paging.size] : [paging.skip, paging.limit]) : [];
  const { holds } = metadataOf(schema) ?? {};
  return !pagingFields.includes(name) && (tool?.period?.includes(name) || holds === "id" || holds === "registration" || holds === "name");
};

const recordsPath = (list: string) => `$${list && `.${list}`}[*]`;

/** A read's filters, each with the field to compare if records have it. */
function filtersIn(operation: Operation): Record<string, Selection | undefined> {
  const { path = "" } = operation.tool?.rows ?? {};
  const [list = "", inner] = path.split(".");
  const around = rowFields({ ...operation, tool: { ...operation.tool, rows: { ...operation.tool?.rows, path: list } } } as Operation) ?? {};
  const fields = Object.keys(rowFields(operation) ?? {});
  const filters = Object.entries(requestFields(operation)).filter(([name, field]) => isFilter(operation, name, field));
  return Object.fromEntries(
    filters.map(([name]) => {
      const field = comparedField(operation, name, fields);
      // A group includes its subgroups, and the interface does not say which field a period is compared with.
      if (field === undefined || /^group/.test(name) || operation.tool?.period?.includes(name)) return [name, undefined];
      const isInner = inner !== undefined && !Object.hasOwn(around, field);
      return [name, { records: recordsPath(list) + (isInner ? `.${inner}[*]` : ""), field }];
    }),
  );
}

/** Filter parameters by operation. */
export const FILTERS: Partial<Record<OperationName, Readonly<Record<string, Selection | undefined>>>> = Object.fromEntries(
  Object.values<Operation>(operations)
    .filter(({ effect, undocumented }) => effect === "read" && !undocumented)
    .map((operation) => [operation.name, filtersIn(operation)]),
);

/** The filter parameters of a request. */
export const filtersOf = (operation: OperationName, requested: Json): string[] =>
  Object.keys(FILTERS[operation] ?? {}).filter((parameter) => requested[parameter] !== undefined);

export const recordsIn = (body: unknown, list: string) => valuesAt(body, recordsPath(list)) as Json[];

function filterViolations(operation: OperationName, requested: Json, body: unknown): Violation[] {
  return filtersOf(operation, requested).flatMap((parameter) => {
    const { records: path, field } = FILTERS[operation]?.[parameter] ?? {};
    if (path === undefined || field === undefined) return [];
    const values = [requested[parameter]].flat().flatMap((value) => String(value).split(","));
    const records = valuesAt(body, path) as Json[];
    const mismatched = records.filter((record) => record[field] !== undefined && !values.includes(String(record[field]))).length;
    const kind = `does not match ${parameter}`;
    return ofSome(`${path}.${field}`, kind, `a value requested in ${parameter}`, "another value", mismatched, records.length);
  });
}

/** Live positions leave out sold vehicles unless they are requested (interface 4.3). */
function soldViolations(requested: Json, body: unknown): Violation[] {
  if (String(requested["showAllVehicleStatus"]) === "true") return [];
  const records = recordsIn(body, "");
  const sold = records.filter(({ status }) => status === "SOLD").length;
  const kind = "SOLD, although showAllVehicleStatus is not true";
  return ofSome("$[*].status", kind, "no sold vehicles", "sold vehicles", sold, records.length);
}

/** Epoch milliseconds; a time without a zone is UTC (interface 4.5). */
const instantOf = (text: unknown) => parseDateTime(text) ?? Number.NaN;

/** Activities overlap the requested period. */
function spanViolations(requested: Json, body: unknown): Violation[] {
  const [from, to] = [instantOf(requested["startTime"]), instantOf(requested["endTime"])];
  const path = "$.data[*].activities[*]";
  const activities = valuesAt(body, path) as Json[];
  const outside = activities.filter(({ startTime, endTime }) => instantOf(startTime) > to || instantOf(endTime) < from).length;
  const expected = "from startTime to endTime of the request";
  return ofSome(`${path}.startTime`, "outside the requested period", expected, "another time", outside, activities.length);
}

/** Records are in the order of the first sort key; each list inside a record is a sequence of its own. */
function orderViolations(requested: Json, body: unknown): Violation[] {
  const [[field, direction] = []] = Object.entries((requested["sort"] ?? {}) as Record<string, string>);
  if (field === undefined) return [];
  const [key = "", inner] = field.split(".");
  const records = recordsIn(body, "data");
  const sequences =
    inner === undefined ? [valuesAt(records, `$[*].${key}`)] : records.map((record) => valuesAt(record, `$.${key}[*].${inner}`));
  const isWrong = (value: unknown, at: number, values: readonly unknown[]) =>
    at > 0 && values[at - 1] !== value && (values[at - 1] as string) < (value as string) !== (direction === "ASC");
  const path = `$.data[*].${inner === undefined ? key : `${key}[*].${inner}`}`;
  const isViolated = sequences.some((values) => values.filter((value) => value !== undefined).some(isWrong));
  return ofAll(isViolated, path, `not in ${direction} order`, `${direction} order`, "another order");
}

/** A value that is not the one of the request. */
const otherValue = (path: string) => ofAll(true, path, "not the requested one", "the requested value", "another value");

/** A page must be the requested one and no longer than requested. */
function pageViolations(operation: OperationName, requested: Json, body: unknown): Violation[] {
  const { paging }: Operation = operations[operation];
  if (!paging) return [];
  const size = paging.kind === "page" ? paging.size : paging.limit;
  const most = Number(requested[size] ?? Number.POSITIVE_INFINITY);
  const pagination = (paging.kind === "page" ? ((body as Json)["pagination"] ?? {}) : {}) as Json;
  const isOther = (name: string) => requested[name] !== undefined && pagination[name] !== Number(requested[name]);
  const [total] = valuesAt(body, `$.${paging.totalItems}`);
  const { length } = recordsIn(body, paging.items);
  const least = "at least the records of this page";
  return [
    ...ofAll(Number(total) < length, `$.${paging.totalItems}`, "less than the records of this page", least, "fewer"),
    ...ofSome(`$.${paging.items}`, `more than ${size}`, `at most ${most} records`, "more records", Number(length > most), length),
    ...Object.keys(pagination)
      .filter(isOther)
      .flatMap((name) => otherValue(`$.pagination.${name}`)),
  ];
}

/** An update returns the updated record (interface 4.1). */
function updateViolations(operation: OperationName, requested: Json, body: unknown): Violation[] {
  if (operations[operation].effect !== "update") return [];
  const updated = body as Json;
  const isOther = (name: string) => typeof requested[name] === "string" && updated[name] !== undefined && updated[name] !== requested[name];
  return Object.keys(requested)
    .filter(isOther)
    .flatMap((name) => otherValue(`$.${name}`));
}

/** Fields that the interface describes as date-time, but whose text is none. The client leaves them as they are. */
function dateViolations({ output }: Operation, body: unknown): Violation[] {
  const texts = dateTexts(output, body, "$");
  return [...new Set(texts.map(({ path }) => path))].flatMap((path) => {
    const all = texts.filter((one) => one.path === path);
    const wrong = all.filter(({ text }) => !isDateTime(text));
    const violations = ofSome(path, "not a date-time", "date-time", "other text", wrong.length, all.length);
    return violations.map((one) => ({ ...one, examples: wrong.map(({ text }) => formOf(text)) }));
  });
}

/** How a response violates the rules that its request implies. `requested` contains the query and body fields. */
export function responseViolations(operation: OperationName, requested: Json, body: unknown): Violation[] {
  return [
    ...filterViolations(operation, requested, body),
    ...(operation === "listLivePositions" ? soldViolations(requested, body) : []),
    ...(operation === "queryTachoActivity" ? spanViolations(requested, body) : []),
    ...orderViolations(requested, body),
    ...pageViolations(operation, requested, body),
    ...updateViolations(operation, requested, body),
    ...dateViolations(operations[operation], body),
  ];
}

/** Reports a later page that contains only records from the first one. */
export function repeatedPage(operation: OperationName, body: unknown, first: unknown): Violation[] {
  const { paging }: Operation = operations[operation];
  if (!paging) return [];
  const jsonOf = (page: unknown) => recordsIn(page, paging.items).map((record) => JSON.stringify(record));
  const [now, before] = [jsonOf(body), new Set(jsonOf(first))];
  const repeated = now.every((record) => before.has(record)) ? now.length : 0;
  const expected = "records after the first page";
  return ofSome(`$.${paging.items}`, "the first page again", expected, "those of the first page", repeated, now.length);
}
