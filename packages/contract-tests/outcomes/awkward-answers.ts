import { type Operation, type OperationName, operations } from "@fleetwire/core";
import { REPLAY_CREDENTIALS, REPLAY_TOKEN } from "../src/fixtures/stand-ins.ts";

/** An answer that no fixture has, for no service is described to give it. */
export interface AwkwardAnswer {
  operation: OperationName;
  name: string;
  status: number;
  text: string;
  headers?: Record<string, string>;
}

const LONG = "long ".repeat(100);
const HOSTILE = `a\tb\u0000c\u202ed\n${REPLAY_CREDENTIALS.clientSecret} ${REPLAY_TOKEN}`;

const error = (at: number) => ({ errorCode: at, errorMessage: `wrong ${at}`, offendingFields: [`field${at}`] });

const many = (count: number) => Array.from({ length: count }, (_, at) => error(at));

/** Bodies of errors: lists and single ones, too many, too long, hostile, of wrong types, and none at all. */
const ERRORS: Readonly<Record<string, unknown>> = {
  "three errors": many(3),
  "four errors": many(4),
  "twenty errors": many(20),
  "twenty-one errors": many(21),
  "a message of 300": { errorMessage: "m".repeat(300) },
  "a message of 301": { errorMessage: "m".repeat(301) },
  "long words": [{ errorMessage: LONG, offendingFields: [LONG] }],
  "hostile words": [{ errorMessage: HOSTILE, offendingFields: [HOSTILE] }],
  "twenty-one fields": { offendingFields: Array.from({ length: 21 }, (_, at) => `f${at}`) },
  "wrong types": [{ errorCode: "1", errorMessage: 2, offendingFields: "id" }, null, 3, "text", [], { errorCode: 1.5 }],
  "fields of wrong types": [{ errorCode: null, errorMessage: null, offendingFields: [1, null, "id", {}] }],
  "nothing known": [{ reason: "unknown" }],
  "no list": { errorCode: -(2 ** 31), errorMessage: "one" },
  "a text": "wrong",
  nothing: null,
};

// 0 is how a browser hides a redirect.
const STATUSES = [0, 300, 301, 399, 400, 401, 403, 404, 408, 409, 410, 418, 422, 429, 499, 500, 503, 599];

/** Bodies of answers that are no errors, as text. */
const BODIES: readonly string[] = [
  "",
  " \n",
  "text",
  "null",
  "1",
  '"text"',
  "[]",
  "{}",
  "[[], 1, null, {}]",
  '[{"serialNumber": 9007199254740993}, {"serialNumber": -9007199254740993, "speed": 1}, {"serialNumber": 9007199254740991}]',
  '[{"serialNumber": "12"}, {"serialNumber": "-9007199254740993"}, {"serialNumber": 1.5}, {"serialNumber": "1.5"}, {"serialNumber": 1e400}]',
  '[{"serialNumber": 9007199254740993}, {"serialNumber": "x"}, {"serialNumber": "9007199254740993"}]',
  "{}",
  '[{"serialNumber": 1e20}, {"serialNumber": 9007199254740993}]',
  '[{"road": "\\"serialNumber\\": 9007199254740993,", "serialNumber" : 9007199254740993 }]',
  '[{"speed": null, "tags": ["a", 1, null, "b"], "privacy": "yes", "eventType": 1, "fuelType": ["COAL", 2], "odometer": 1e400}]',
  '[{"tags": {}, "latitude": [], "city": {}, "unknown\\nfield": 1, "__proto__": 1}]',
  '{"job": {"jobRadius": 1.5, "resources": [1, {"name": 1}], "subStatus": [], "visitResults": [{"taskAnswers": {}}]}}',
  '{"job": null, "errors": null}',
  '{"errors": []}',
  '{"errors": [{"field": "a", "message": "b"}, {"field": 1}, {}, {"message": "c"}]}',
  '{"job": [], "csvUploadLink": 1}',
  '{"items": [{"faults": [{"details": {"lamps": [1], "occurrenceCount": "2"}}, 1]}], "pagination": {"totalItems": 1.5}}',
  '{"items": {}, "pagination": []}',
  '{"count": "1", "data": [{}]}',
  '{"count": 1}',
  '{"data": []}',
  '{"count": 1, "data": [{"activities": [{"duration": "1"}, null]}], "more": {"a": 1}}',
  '{"id": 1, "vehicleIds": ["v1", 2]}',
  '{"name": "n"}',
  '{"success": false}',
  '{"success": true, "token_type": "mac", "expires_in": "60"}',
];

/** What a model reads of, and one operation of those whose responses are not described. */
const READERS: readonly OperationName[] = Object.values<Operation>(operations)
  .filter(({ name, tool, undocumented }) => tool && (!undocumented || name === "listJobs"))
  .map(({ name }) => name as OperationName);

export function awkwardAnswers(): AwkwardAnswer[] {
  const answer = (operation: OperationName, name: string, status: number, body: string) => ({ operation, name, status, text: body });
  return [
    ...Object.entries(ERRORS).map(([name, body]) => answer("updateGroup", name, 400, JSON.stringify(body))),
    ...STATUSES.map((status) => answer("listLivePositions", "no JSON", status, "<html>")),
    ...STATUSES.map((status) => ({
      ...answer("updateGroup", "one error", status, JSON.stringify(error(1))),
      headers: { "retry-after": "7" },
    })),
    ...READERS.flatMap((operation) => BODIES.map((body, at) => answer(operation, `body ${at}`, at % 2 === 0 ? 200 : 299, body))),
  ];
}
