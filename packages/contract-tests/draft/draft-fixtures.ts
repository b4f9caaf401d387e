import type { FleetErrorCode, Operation } from "@fleetwire/core";
import type { Sample } from "@fleetwire/core/samples";
import type { Fixture, Given } from "../src/fixtures/fixture.ts";
import type { ContractTable, TableField } from "../src/table/contract-table.ts";
import { ABSENT, BodyDraft, type DraftValue, same } from "./draft-body.ts";
import { RequestDraft, stateFor, withOffset } from "./draft-request.ts";

type Json = Record<string, unknown>;

/** How a fixture differs from the default one. */
interface Part {
  title: string;
  call?: Json;
  scheme?: string;
  /** A provider state that the sandbox cannot reproduce. */
  given?: string;
  records?: readonly DraftValue[];
  place?: { index: number; size: number; total: number };
  response?: Fixture["response"];
  error?: FleetErrorCode;
}

type Parts = Record<string, Part>;

const JSON_HEADERS = { "content-type": "application/json" };
const UNKNOWN_CREDENTIALS = "credentials that the service does not know";

/** Statuses that any service may return, although the interface mentions none of them. */
const STATUSES: readonly [name: string, title: string, status: number, code: FleetErrorCode, given: string][] = [
  ["wrong-credentials", "Wrong credentials", 401, "unauthorized", UNKNOWN_CREDENTIALS],
  ["forbidden", "A caller without permission", 403, "forbidden", "credentials without permission"],
  ["not-found", "Unknown path", 404, "notFound", "a service without this operation"],
  ["request-timeout", "The service timed out waiting for the request", 408, "timeout", "a service that timed out waiting for the request"],
  ["too-many-requests", "Too many requests", 429, "rateLimited", "a service that limits the request rate"],
  ["unavailable", "The service is unavailable", 503, "upstream", "a service that is down"],
];

const WRONG: Readonly<Record<string, unknown>> = { string: 42, number: "7.5", integer: "3", boolean: "false", array: { "0": "first" } };

const hyphens = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Requests with only this parameter: one for each of its listed values, or a single one. */
function aloneParts(requests: RequestDraft, name: string, usual: DraftValue): [string, Part][] {
  const values = requests.valuesOf(name);
  if (values.length === 0) return [[`by-${hyphens(name)}`, { title: `Only ${name}`, call: requests.callOf([name]), records: [usual] }]];
  return values.map((value) => [
    `by-${hyphens(name)}-${value.toLowerCase()}`,
    { title: `${name} is ${value}`, call: requests.callOf([], { [name]: value }), records: [usual] },
  ]);
}

function requestParts(operation: Operation, requests: RequestDraft, usual: DraftValue): Parts {
  const { paging } = operation;
  const first = paging ? { [paging.kind === "page" ? paging.index : paging.skip]: 0 } : {};
  const shifted = Object.fromEntries(
    Object.entries(requests.callOf(requests.times)).map(([name, value]) => [
      name,
      requests.times.includes(name) ? withOffset(String(value)) : value,
    ]),
  );
  const counts = Object.keys(first).concat(paging ? (paging.kind === "page" ? paging.size : paging.limit) : []);
  const alone = requests.optional.filter((name) => !counts.includes(name));
  return {
    "no-parameters": { title: "Required parameters only", records: [usual] },
    "every-parameter": { title: "Every parameter", call: requests.callOf(requests.names, first), records: [usual] },
    ...Object.fromEntries(alone.flatMap((name) => aloneParts(requests, name, usual))),
    ...(requests.times.length > 0 && {
      "offset-times": { title: "Times with an offset are sent as UTC", call: shifted, records: [usual] },
    }),
    ...Object.fromEntries(
      requests.schemes.slice(1).map((scheme) => [scheme, { title: `With the ${scheme} scheme`, scheme, records: [usual] }]),
    ),
  };
}

function pageParts({ paging }: Operation, requests: RequestDraft, bodies: BodyDraft): Parts {
  if (!paging) return {};
  const [position, size, step] = paging.kind === "page" ? [paging.index, paging.size, 1] : [paging.skip, paging.limit, 2];
  const key = bodies.recordFields[0];
  const record = (at: number) =>
    bodies.record((field) => (field === key && field.row.type === "string" ? same(`${bodies.usual(field)}${at}`) : undefined));
  const page = (index: number): Part => ({
    title: `Page ${index} of three`,
    call: requests.callOf([], { [size]: 2, [position]: index * step }),
    records: [0, 1, 2, 3, 4].slice(index * 2, index * 2 + 2).map(record),
    place: { index, size: 2, total: 5 },
  });
  return {
    "page-0": page(0),
    "page-1": page(1),
    "page-2": page(2),
    "page-past-the-end": { ...page(3), title: "A page past the last one is empty" },
  };
}

/** Records with fields that differ from the description, and bodies with a different shape. */
function unexpectedParts(bodies: BodyDraft, usual: DraftValue): Parts {
  const fields = bodies.recordFields;
  const parent = ({ path }: TableField) => path.slice(0, path.lastIndexOf("."));
  const isFirst = (field: TableField) => field === fields.find((other) => parent(other) === parent(field));
  const depths = [...new Set(fields.map((field) => bodies.depthOf(field)))];
  /** A record for each nesting depth, in which `draft` drafts the fields at that depth, except the first and the required ones. */
  const atEachDepth = (draft: (field: TableField) => DraftValue): DraftValue[] =>
    depths.map((depth) =>
      bodies.record((field) => (bodies.depthOf(field) !== depth || isFirst(field) || field.row.required ? undefined : draft(field))),
    );
  const where = (fits: (field: TableField) => boolean, value: (field: TableField) => unknown) =>
    bodies.record((field) => (fits(field) ? same(value(field)) : undefined));
  const valued = ({ values }: TableField) => values.length > 0;
  const isList = ({ row }: TableField) => row.type === "array";
  const isName = ({ row }: TableField) => row.type === "string" && /name|address/i.test(row.name ?? "");
  const guards = bodies.guards;
  return {
    nulls: {
      title: "Nulls count as absent",
      records: atEachDepth(() => ({ sent: null, returned: ABSENT })),
      given: "a service that sends nulls",
    },
    "wrong-types": {
      title: "Fields of the wrong type are removed, others are returned",
      records: atEachDepth(({ row }) => ({ sent: WRONG[row.type ?? ""] ?? "none", returned: guards.get(row.name ?? "") ?? ABSENT })),
      given: "a service that sends wrong types",
    },
    "extra-fields": {
      title: "Undocumented fields are returned",
      records: [bodies.withMore(usual)],
      given: "a newer version of the service",
    },
    ...(fields.some(valued) && {
      "unknown-enums": {
        title: "Undocumented values are returned",
        records: [where(valued, (field) => (isList(field) ? ["UNHEARD"] : "UNHEARD"))],
        given: "a newer version of the service",
      },
    }),
    ...(fields.some(isList) && {
      "empty-lists": { title: "Empty lists", records: [where(isList, () => [])], given: "a service with empty lists" },
    }),
    ...(fields.some(isName) && {
      "non-ascii": {
        title: "Non-ASCII names",
        records: [where(isName, () => "Łódź, Straße 7 東")],
        given: "a fleet with non-ASCII names",
      },
    }),
    ...Object.fromEntries(
      [...guards].map(([guard, value]) => [
        hyphens(guard),
        {
          title: `${guard} is ${value}`,
          records: [
            where(
              ({ row }) => row.name === guard,
              () => value,
            ),
          ],
          given: `a fleet whose ${guard} is ${value}`,
        },
      ]),
    ),
    ...(bodies.records !== "" && {
      none: { title: "An empty list of records", records: [], given: "a service without records" },
      "not-an-object": {
        title: "Records that are not objects are left out",
        records: [{ sent: "first", returned: ABSENT }, usual, { sent: 17, returned: ABSENT }],
        given: "a service that responds with another shape",
      },
      "other-shape": {
        title: "A shape other than the documented one",
        response: {
          status: 200,
          headers: JSON_HEADERS,
          body: (bodies.root === "array" ? { items: [usual.sent] } : [usual.sent]) as Fixture["response"]["body"],
        },
        error: "contract",
        given: "a service that responds with another shape",
      },
    }),
  };
}

function failureParts(bodies: BodyDraft, usual: DraftValue): Parts {
  const text = JSON.stringify(bodies.body([usual]).sent);
  const failures = STATUSES.map(([name, title, status, error, given]): [string, Part] => {
    const body = { errorCode: 4000 + (status % 100), errorMessage: title, offendingFields: [] };
    const response =
      status < 500 ? { status, headers: JSON_HEADERS, body } : { status, headers: { "content-type": "text/plain" }, text: title };
    return [name, { title, response, error, given }];
  });
  const truncated = { status: 200, headers: JSON_HEADERS, text: text.slice(0, text.length / 2) };
  return {
    truncated: { title: "A truncated body", response: truncated, error: "contract", given: "a service that sends half a body" },
    ...Object.fromEntries(failures),
  };
}

/** Fixtures, by name, for everything that coverage and presence require for an operation. None is derived from the client or the sandbox. */
export function draftFixtures(operation: Operation, table: ContractTable, sample: Sample, date: string): Map<string, Fixture> {
  const bodies = new BodyDraft(operation, table, sample.output);
  const requests = new RequestDraft(operation, table, sample.input as Json);
  const usual = bodies.record();
  const parts: Parts = {
    ...requestParts(operation, requests, usual),
    "every-field": { title: "Every field and every documented value", records: bodies.everyValue() },
    ...unexpectedParts(bodies, usual),
    ...failureParts(bodies, usual),
    ...pageParts(operation, requests, bodies),
  };
  const isBasic = requests.schemes[0] === "basic";
  const fixture = (part: Part): Fixture => {
    const { title, call = requests.callOf([]), scheme, given, records = [], place, response, error } = part;
    const { sent, returned } = bodies.body(records, place);
    const reproducible = operation.effect === "read" && (given === undefined || (given === UNKNOWN_CREDENTIALS && isBasic));
    const state: Given = given ?? stateFor(call);
    const expectedErrors =
      response?.body && !Array.isArray(response.body) && response.status >= 400 ? { errors: [response.body as Json] } : {};
    const source = response && response.status >= 400 ? "interface 7 (not shown); chosen: error codes by status" : operation.source;
    return {
      operation: operation.name as Fixture["operation"],
      title,
      given: state,
      call: call as Fixture["call"],
      request: requests.requestOf(call, scheme),
      response: response ?? { status: 200, headers: JSON_HEADERS, body: sent as Fixture["response"]["body"] },
      expect: error ? { error: { code: error, ...expectedErrors } } : { value: returned as never },
      provenance: { kind: "documented", date, source },
      reproducible,
      reviewed: false,
      scrubbed: [],
    } as Fixture;
  };
  const stem = operation.name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return new Map(Object.entries(parts).map(([name, part]) => [`${stem}-${name}`, fixture(part)]));
}
