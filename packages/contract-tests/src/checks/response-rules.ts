import {
  metadataOf,
  type Operation,
  type OperationName,
  operations,
  parseDateTime,
  type RequestField,
  requestFields,
  rowFields,
} from "@fleetwire/core";

type Json = Record<string, unknown>;

/** A way in which an answer is not what was asked for. Neither part shows a value of a record: reports of deployments go into logs. */
export interface Violation {
  /** Such as `$[*].assetId`. */
  path: string;
  kind: string;
}

/** Records that a parameter selects: every one that is answered has one of the values asked for. */
interface Selection {
  list: string;
  inner?: string;
  field: string;
}

/** The fields that parameters compare where their names do not tell. */
const COMPARED: Readonly<Record<string, string>> = { "listVehicleFaults vehicleId": "id" };

/** What a record calls the field that a parameter selects by: `driverIds` compares `driverId`, `vehicleIds` perhaps `assetId`, `registrations` perhaps `assetRegistration`. */
function comparedField(operation: Operation, parameter: string, fields: readonly string[]): string | undefined {
  const one = parameter.replace(/s$/, "");
  const known = COMPARED[`${operation.name} ${parameter}`] ?? [one, one.replace("vehicle", "asset")].find((name) => fields.includes(name));
  return known ?? fields.find((name) => name.endsWith(`${one[0]?.toUpperCase()}${one.slice(1)}`));
}

const isFilter = ({ paging, tool, secretOutput }: Operation, name: string, { in: place, schema }: RequestField): boolean => {
  if (place === "path" || secretOutput || schema._zod.optin !== "optional") return false;
  const position = paging ? (paging.kind === "page" ? [paging.index, paging.size] : [paging.skip, paging.limit]) : [];
  const { holds } = metadataOf(schema) ?? {};
  return !position.includes(name) && (tool?.period?.includes(name) || holds === "id" || holds === "registration" || holds === "name");
};

/** The parameters of a read that leave records out, each with the field that it compares, where a record tells it. */
function filtersIn(operation: Operation): Record<string, Selection | undefined> {
  const { path = "" } = operation.tool?.rows ?? {};
  const [list = "", inner] = path.split(".");
  const around = rowFields({ ...operation, tool: { ...operation.tool, rows: { ...operation.tool?.rows, path: list } } } as Operation) ?? {};
  const fields = Object.keys(rowFields(operation) ?? {});
  const filters = Object.entries(requestFields(operation)).filter(([name, field]) => isFilter(operation, name, field));
  return Object.fromEntries(
    filters.map(([name]) => {
      const field = comparedField(operation, name, fields);
      // A group takes those of the groups below it along, and what a period compares is not told.
      if (field === undefined || /^group/.test(name) || operation.tool?.period?.includes(name)) return [name, undefined];
      return [name, { list, field, ...(inner !== undefined && !Object.hasOwn(around, field) && { inner }) }];
    }),
  );
}

/** Parameters that leave records out, by operation. */
export const FILTERS: Partial<Record<OperationName, Readonly<Record<string, Selection | undefined>>>> = Object.fromEntries(
  Object.values<Operation>(operations)
    .filter(({ effect, undocumented }) => effect === "read" && !undocumented)
    .map((operation) => [operation.name, filtersIn(operation)]),
);

/** The parameters of a request that leave records out. */
export const filtersOf = (operation: OperationName, asked: Json): string[] =>
  Object.keys(FILTERS[operation] ?? {}).filter((parameter) => asked[parameter] !== undefined);

export const recordsIn = (body: unknown, list: string): Json[] => ((list === "" ? body : (body as Json)[list]) ?? []) as Json[];

const pathOf = (...lists: (string | undefined)[]) =>
  `$${lists.map((list) => (list === undefined ? "" : `${list && `.${list}`}[*]`)).join("")}`;

function filterViolations(operation: OperationName, asked: Json, body: unknown): Violation[] {
  return filtersOf(operation, asked).flatMap((parameter) => {
    const selection = FILTERS[operation]?.[parameter];
    if (!selection) return [];
    const { list, inner, field } = selection;
    const values = [asked[parameter]].flat().flatMap((value) => String(value).split(","));
    const strays = recordsIn(body, list)
      .flatMap((record) => (inner === undefined ? [record] : recordsIn(record, inner)))
      // What a record does not tell cannot be held against it.
      .filter((record) => record[field] !== undefined && !values.includes(String(record[field])));
    return strays.length === 0 ? [] : [{ path: `${pathOf(list, inner)}.${field}`, kind: `not what ${parameter} asks for` }];
  });
}

/** Live positions leave out sold vehicles unless they are asked for (interface 4.3). */
function soldViolations(operation: OperationName, asked: Json, body: unknown): Violation[] {
  if (operation !== "listLivePositions" || String(asked["showAllVehicleStatus"]) === "true") return [];
  const isSold = recordsIn(body, "").some(({ status }) => status === "SOLD");
  return isSold ? [{ path: "$[*].status", kind: "SOLD, although showAllVehicleStatus is not true" }] : [];
}

/** Milliseconds since 1970; what has no zone is UTC (interface 4.5). */
const instantOf = (text: unknown) => parseDateTime(text) ?? Number.NaN;

/** Activities lie in the span that was asked for, if only in part. */
function spanViolations(operation: OperationName, asked: Json, body: unknown): Violation[] {
  if (operation !== "queryTachoActivity") return [];
  const [from, to] = [instantOf(asked["startTime"]), instantOf(asked["endTime"])];
  const activities = recordsIn(body, "data").flatMap((driver) => recordsIn(driver, "activities"));
  const isOutside = ({ startTime, endTime }: Json) => instantOf(startTime) > to || instantOf(endTime) < from;
  return activities.some(isOutside) ? [{ path: `${pathOf("data", "activities")}.startTime`, kind: "not in the span asked for" }] : [];
}

/** The values by which records are sorted, one after the other, lists within records for themselves. */
function sequences(records: readonly Json[], [key = "", inner]: readonly string[]): unknown[][] {
  return inner === undefined
    ? [records.map((record) => record[key])]
    : records.map((record) => recordsIn(record, key).map((item) => item[inner]));
}

function orderViolations(asked: Json, body: unknown): Violation[] {
  const [[field, direction] = []] = Object.entries((asked["sort"] ?? {}) as Record<string, string>);
  if (field === undefined) return [];
  const isWrong = (values: unknown[]) =>
    values.some((value, at) => {
      const before = values[at - 1];
      if (at === 0 || before === undefined || value === undefined || before === value) return false;
      return (before as string) < (value as string) !== (direction === "ASC");
    });
  const parts = field.split(".");
  const path = parts.length > 1 ? `${pathOf("data", parts[0])}.${parts[1]}` : `${pathOf("data")}.${field}`;
  return sequences(recordsIn(body, "data"), parts).some(isWrong) ? [{ path, kind: `not in the order ${direction}` }] : [];
}

/** A page is the one that was asked for and no longer than was asked for. */
function pageViolations(operation: OperationName, asked: Json, body: unknown): Violation[] {
  const { paging }: Operation = operations[operation];
  if (!paging) return [];
  const size = paging.kind === "page" ? paging.size : paging.limit;
  const most = Number(asked[size] ?? Number.POSITIVE_INFINITY);
  const told = (paging.kind === "page" ? ((body as Json)["pagination"] ?? {}) : {}) as Json;
  const others = Object.keys(told).filter((name) => asked[name] !== undefined && told[name] !== Number(asked[name]));
  return [
    ...(recordsIn(body, paging.items).length > most ? [{ path: `$.${paging.items}`, kind: `more than ${size}` }] : []),
    ...others.map((name) => ({ path: `$.pagination.${name}`, kind: "another one than was asked for" })),
  ];
}

/** How an answer breaks the rules that its request lays down for it, whoever gave it. `asked` holds the fields of query and body. */
export function responseViolations(operation: OperationName, asked: Json, body: unknown): Violation[] {
  return [
    ...filterViolations(operation, asked, body),
    ...soldViolations(operation, asked, body),
    ...spanViolations(operation, asked, body),
    ...orderViolations(asked, body),
    ...pageViolations(operation, asked, body),
  ];
}

/** A later page that holds nothing but records of the first one: it was not position. */
export function repeatedPage(operation: OperationName, body: unknown, first: unknown): Violation[] {
  const { paging }: Operation = operations[operation];
  if (!paging) return [];
  const textsOf = (page: unknown) => recordsIn(page, paging.items).map((record) => JSON.stringify(record));
  const [now, before] = [textsOf(body), new Set(textsOf(first))];
  return now.length > 0 && now.every((record) => before.has(record)) ? [{ path: `$.${paging.items}`, kind: "the first page again" }] : [];
}
