import type { ApiError, DocumentedError } from "@fleetwire/core";

/** The sandbox's own error codes, since the interface lists none (interface part 7). */
const ERROR_CODES = {
  malformed: 40001,
  invalid: 40002,
  notVisible: 40003,
  unauthorized: 40101,
  forbidden: 40301,
  notFound: 40401,
  wrongMethod: 40501,
  nameTaken: 40901,
  belowItself: 40902,
  duplicate: 40903,
  tooLarge: 41301,
  wrongMediaType: 41501,
  tooMany: 42901,
  failed: 50001,
  unavailable: 50301,
} as const;

type ErrorName = keyof typeof ERROR_CODES;

/** One reason for rejecting a request. */
interface Reason {
  readonly name: ErrorName;
  readonly message: string;
  readonly fields?: readonly string[];
}

/** Thrown to respond with an error status. */
export class Refusal extends Error {
  readonly status: number;
  readonly reasons: readonly [Reason, ...Reason[]];
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, reasons: readonly [Reason, ...Reason[]], headers: Readonly<Record<string, string>> = {}) {
    super(reasons[0].message);
    this.name = "Refusal";
    this.status = status;
    this.reasons = reasons;
    this.headers = headers;
  }
}

export const refuse = (status: number, name: ErrorName, message: string, ...fields: string[]): Refusal =>
  new Refusal(status, [{ name, message, fields }]);

function apiError({ name, message, fields = [] }: Reason): ApiError {
  return { errorCode: ERROR_CODES[name], errorMessage: message, offendingFields: [...fields] };
}

/** All reasons in one error, for statuses whose body is a single error. */
function merged(reasons: readonly [Reason, ...Reason[]]): ApiError {
  const message = reasons.map((reason) => reason.message).join("; ");
  const fields = new Set(reasons.flatMap((reason) => reason.fields ?? []));
  return apiError({ name: reasons[0].name, message, fields: [...fields] });
}

/** The response to a rejected request: a list of errors if the operation documents one for the status, otherwise a single error. */
export function refusalResponse(refusal: Refusal, documented: Readonly<Record<number, DocumentedError>> = {}): Response {
  const isList = documented[refusal.status]?.body === "list";
  return jsonResponse(isList ? refusal.reasons.map(apiError) : merged(refusal.reasons), refusal.status, refusal.headers);
}

export function jsonResponse(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const text = JSON.stringify(body);
  const described = { "Content-Type": "application/json;charset=UTF-8", "Content-Length": String(Buffer.byteLength(text)) };
  return new Response(text, { status, headers: { ...described, ...headers } });
}
