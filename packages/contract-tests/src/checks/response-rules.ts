import { metadataOf, type Operation, type OperationName, operations, type RequestField, requestFields } from "@fleetwire/core";
import { definitionOf, isOptional, parseDateTime, rowFields, unwrapSchema } from "@fleetwire/core/internal";
import * as z from "zod";
import { formOf } from "../json-values.ts";

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

/** Fields that the interface describes as date-time, but whose text is none. The client leaves them as they are. */
function dateViolations({ output }: Operation, body: unknown): Violation[] {
  const texts = dateTexts(output, body, "$");
  const wrong = texts.filter(({ text }) => !isDateTime(text));
  return [...new Set(wrong.map(({ path }) => path))].map((path) => {
    const own = wrong.filter((one) => one.path === path);
    const of = texts.filter((one) => one.path === path).length;
    const examples = own.map(({ text }) => formOf(text));
    return { path, kind: "not a date-time", expected: "date-time", actual: ["other text"], examples, records: own.length, of };
  });
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

/** A parameter that selects records: each one returned has one of the requested values. */
interface Selection {
  list: string;
  inner?: string;
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
      return [name, { list, field, ...(inner !== undefined && !Object.hasOwn(around, field) && { inner }) }];
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

export const recordsIn = (body: unknown, list: string): Json[] => ((list === "" ? body : (body as Json)[list]) ?? []) as Json[];

const pathOf = (...lists: (string | undefined)[]) =>
  `$${lists.map((list) => (list === undefined ? "" : `${list && `.${list}`}[*]`)).join("")}`;

function filterViolations(operation: OperationName, requested: Json, body: unknown): Violation[] {
  return filtersOf(operation, requested).flatMap((parameter) => {
    const selection = FILTERS[operation]?.[parameter];
    if (!selection) return [];
    const { list, inner, field } = selection;
    const values = [requested[parameter]].flat().flatMap((value) => String(value).split(","));
    const records = recordsIn(body, list).flatMap((record) => (inner === undefined ? [record] : recordsIn(record, inner)));
    const mismatched = records.filter((record) => record[field] !== undefined && !values.includes(String(record[field])));
    if (mismatched.length === 0) return [];
    const counts = { records: mismatched.length, of: records.length };
    const expected = `a value requested in ${parameter}`;
    return [
      { path: `${pathOf(list, inner)}.${field}`, kind: `does not match ${parameter}`, expected, actual: ["another value"], ...counts },
    ];
  });
}

/** Live positions leave out sold vehicles unless they are requested (interface 4.3). */
function soldViolations(operation: OperationName, requested: Json, body: unknown): Violation[] {
  if (operation !== "listLivePositions" || String(requested["showAllVehicleStatus"]) === "true") return [];
  const records = recordsIn(body, "");
  const sold = records.filter(({ status }) => status === "SOLD").length;
  const kind = "SOLD, although showAllVehicleStatus is not true";
  return sold > 0
    ? [{ path: "$[*].status", kind, expected: "no sold vehicles", actual: ["sold vehicles"], records: sold, of: records.length }]
    : [];
}

/** Epoch milliseconds; a time without a zone is UTC (interface 4.5). */
const instantOf = (text: unknown) => parseDateTime(text) ?? Number.NaN;

/** Activities overlap the requested period. */
function spanViolations(operation: OperationName, requested: Json, body: unknown): Violation[] {
  if (operation !== "queryTachoActivity") return [];
  const [from, to] = [instantOf(requested["startTime"]), instantOf(requested["endTime"])];
  const activities = recordsIn(body, "data").flatMap((driver) => recordsIn(driver, "activities"));
  const isOutside = ({ startTime, endTime }: Json) => instantOf(startTime) > to || instantOf(endTime) < from;
  const outside = activities.filter(isOutside).length;
  if (outside === 0) return [];
  const path = `${pathOf("data", "activities")}.startTime`;
  const counts = { records: outside, of: activities.length };
  return [
    {
      path,
      kind: "outside the requested period",
      expected: "from startTime to endTime of the request",
      actual: ["another time"],
      ...counts,
    },
  ];
}

/** The values to sort by, in order; each list inside a record is a sequence of its own. */
function sequences(records: readonly Json[], [key = "", inner]: readonly string[]): unknown[][] {
  return inner === undefined
    ? [records.map((record) => record[key])]
    : records.map((record) => recordsIn(record, key).map((item) => item[inner]));
}

function orderViolations(requested: Json, body: unknown): Violation[] {
  const [[field, direction] = []] = Object.entries((requested["sort"] ?? {}) as Record<string, string>);
  if (field === undefined) return [];
  const isWrong = (values: unknown[]) =>
    values.some((value, at) => {
      const before = values[at - 1];
      if (at === 0 || before === undefined || value === undefined || before === value) return false;
      return (before as string) < (value as string) !== (direction === "ASC");
    });
  const parts = field.split(".");
  const path = parts.length > 1 ? `${pathOf("data", parts[0])}.${parts[1]}` : `${pathOf("data")}.${field}`;
  return sequences(recordsIn(body, "data"), parts).some(isWrong)
    ? [{ path, kind: `not in ${direction} order`, expected: `${direction} order`, actual: ["another order"] }]
    : [];
}

const OTHER_VALUE = { kind: "not the requested one", expected: "the requested value", actual: ["another value"] };

/** A page must be the requested one and no longer than requested. */
function pageViolations(operation: OperationName, requested: Json, body: unknown): Violation[] {
  const { paging }: Operation = operations[operation];
  if (!paging) return [];
  const size = paging.kind === "page" ? paging.size : paging.limit;
  const most = Number(requested[size] ?? Number.POSITIVE_INFINITY);
  const pagination = (paging.kind === "page" ? ((body as Json)["pagination"] ?? {}) : {}) as Json;
  const mismatched = Object.keys(pagination).filter(
    (name) => requested[name] !== undefined && pagination[name] !== Number(requested[name]),
  );
  const total = paging.totalItems.split(".").reduce<unknown>((value, name) => (value as Json | undefined)?.[name], body);
  const { length } = recordsIn(body, paging.items);
  return [
    ...(typeof total === "number" && total < length
      ? [
          {
            path: `$.${paging.totalItems}`,
            kind: "less than the records of this page",
            expected: "at least the records of this page",
            actual: ["fewer"],
          },
        ]
      : []),
    ...(length > most
      ? [
          {
            path: `$.${paging.items}`,
            kind: `more than ${size}`,
            expected: `at most ${most} records`,
            actual: ["more records"],
            of: length,
          },
        ]
      : []),
    ...mismatched.map((name) => ({ path: `$.pagination.${name}`, ...OTHER_VALUE })),
  ];
}

/** An update returns the updated record (interface 4.1). */
function updateViolations(operation: OperationName, requested: Json, body: unknown): Violation[] {
  if (operations[operation].effect !== "update") return [];
  const updated = body as Json;
  const isOther = (name: string) => typeof requested[name] === "string" && updated[name] !== undefined && updated[name] !== requested[name];
  return Object.keys(requested)
    .filter(isOther)
    .map((name) => ({ path: `$.${name}`, ...OTHER_VALUE }));
}

/** How a response violates the rules that its request implies. `requested` contains the query and body fields. */
export function responseViolations(operation: OperationName, requested: Json, body: unknown): Violation[] {
  return [
    ...filterViolations(operation, requested, body),
    ...soldViolations(operation, requested, body),
    ...spanViolations(operation, requested, body),
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
  return now.length > 0 && now.every((record) => before.has(record))
    ? [
        {
          path: `$.${paging.items}`,
          kind: "the first page again",
          expected: "records after the first page",
          actual: ["those of the first page"],
          records: now.length,
          of: now.length,
        },
      ]
    : [];
}
