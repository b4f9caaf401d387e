import { type Operation, type OperationName, operations } from "@fleetwire/core";
import { definitionOf, parseDateTime, unwrapSchema } from "@fleetwire/core/internal";
import * as z from "zod";
import { formOf, valuesAt } from "../json-values.ts";

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

/**
 * The filters of each operation, with the records and the field of theirs that have one of the requested values; none if the interface does not say what is
 * compared: a group includes its subgroups, and the records of a period have several times.
 */
export const FILTERS: {
  readonly [Name in OperationName]?: Readonly<Record<string, readonly [records: string, field: string] | undefined>>;
} = {
  listLivePositions: { vehicleIds: ["$[*]", "assetId"], driverIds: ["$[*]", "driverId"], groupIds: undefined },
  listVehicleFaults: { vehicleId: ["$.items[*]", "id"], groupId: undefined, startDate: undefined, endDate: undefined },
  queryTachoActivity: { driverKeys: ["$.data[*]", "driverKey"], registrations: ["$.data[*].activities[*]", "assetRegistration"] },
};

/** The filter parameters of a request. */
export const filtersOf = (operation: OperationName, requested: Json): string[] =>
  Object.keys(FILTERS[operation] ?? {}).filter((parameter) => requested[parameter] !== undefined);

function filterViolations(operation: OperationName, requested: Json, body: unknown): Violation[] {
  return filtersOf(operation, requested).flatMap((parameter) => {
    const [path, field] = FILTERS[operation]?.[parameter] ?? [];
    if (path === undefined || field === undefined) return [];
    const values = [requested[parameter]].flat().flatMap((value) => String(value).split(","));
    const records = valuesAt(body, path) as Json[];
    const mismatched = records.filter((record) => record[field] !== undefined && !values.includes(String(record[field]))).length;
    const expected = `a value requested in ${parameter}`;
    return ofSome(`${path}.${field}`, `does not match ${parameter}`, expected, "another value", mismatched, records.length);
  });
}

/** Live positions leave out sold vehicles unless they are requested (interface 4.3). */
function soldViolations(requested: Json, body: unknown): Violation[] {
  if (String(requested["showAllVehicleStatus"]) === "true") return [];
  const statuses = (valuesAt(body, "$[*]") as Json[]).map(({ status }) => status);
  const sold = statuses.filter((status) => status === "SOLD").length;
  const kind = "SOLD, although showAllVehicleStatus is not true";
  return ofSome("$[*].status", kind, "no sold vehicles", "sold vehicles", sold, statuses.length);
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
  const records = valuesAt(body, "$.data[*]");
  const sequences =
    inner === undefined ? [valuesAt(records, `$[*].${key}`)] : records.map((record) => valuesAt(record, `$.${key}[*].${inner}`));
  const isWrong = (value: unknown, at: number, values: readonly unknown[]) =>
    at > 0 && values[at - 1] !== value && (values[at - 1] as string) < (value as string) !== (direction === "ASC");
  const isViolated = sequences.some((values) => values.filter((value) => value !== undefined).some(isWrong));
  const path = `$.data[*].${inner === undefined ? key : `${key}[*].${inner}`}`;
  return ofSome(path, `not in ${direction} order`, `${direction} order`, "another order", Number(isViolated), 1);
}

/** The fields of a record that differ from those requested by the same names. */
const otherValues = (place: string, isOther: (name: string) => boolean, record: Json): Violation[] =>
  Object.keys(record)
    .filter(isOther)
    .flatMap((name) => ofSome(`${place}.${name}`, "not the requested one", "the requested value", "another value", 1, 1));

/** A page must be the requested one and no longer than requested. */
function pageViolations({ paging }: Operation, requested: Json, body: unknown): Violation[] {
  if (!paging) return [];
  const size = paging.kind === "page" ? paging.size : paging.limit;
  const most = Number(requested[size] ?? Number.POSITIVE_INFINITY);
  const pagination = (paging.kind === "page" ? ((body as Json)["pagination"] ?? {}) : {}) as Json;
  const [total] = valuesAt(body, `$.${paging.totalItems}`);
  const { length } = valuesAt(body, `$.${paging.items}[*]`);
  const isLess = Number(Number(total) < length);
  return [
    ...ofSome(`$.${paging.totalItems}`, "less than the records of this page", "at least the records of this page", "fewer", isLess, 1),
    ...ofSome(`$.${paging.items}`, `more than ${size}`, `at most ${most} records`, "more records", Number(length > most), length),
    ...otherValues("$.pagination", (name) => requested[name] !== undefined && pagination[name] !== Number(requested[name]), pagination),
  ];
}

/** An update returns the updated record (interface 4.1). */
function updateViolations(requested: Json, body: unknown): Violation[] {
  const updated = body as Json;
  const isOther = (name: string) => typeof requested[name] === "string" && updated[name] !== undefined && updated[name] !== requested[name];
  return otherValues("$", isOther, requested);
}

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

/** A year such as 0001, which services send in place of a missing date, is still a date-time. */
const isDateTime = (text: string) => parseDateTime(text) !== undefined || parseDateTime(text.replace(/^00/, "20")) !== undefined;

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
export function responseViolations(name: OperationName, requested: Json, body: unknown): Violation[] {
  const operation: Operation = operations[name];
  return [
    ...filterViolations(name, requested, body),
    ...(name === "listLivePositions" ? soldViolations(requested, body) : []),
    ...(name === "queryTachoActivity" ? spanViolations(requested, body) : []),
    ...orderViolations(requested, body),
    ...pageViolations(operation, requested, body),
    ...(operation.effect === "update" ? updateViolations(requested, body) : []),
    ...dateViolations(operation, body),
  ];
}

/** Reports a later page that contains only records from the first one. */
export function repeatedPage({ paging }: Operation, body: unknown, first: unknown): Violation[] {
  if (!paging) return [];
  const textsOf = (page: unknown) => valuesAt(page, `$.${paging.items}[*]`).map((record) => JSON.stringify(record));
  const [now, before] = [textsOf(body), new Set(textsOf(first))];
  const repeated = now.every((record) => before.has(record)) ? now.length : 0;
  const expected = "records after the first page";
  return ofSome(`$.${paging.items}`, "the first page again", expected, "those of the first page", repeated, now.length);
}
