import type { Operation, OutcomePaths, Refusal } from "../operation.ts";
import { ApiError } from "../schemas/api-error.ts";
import type { JobError } from "../schemas/job.ts";
import { putAt, valueAt } from "./field-path.ts";

/** Whether a value other than an object or a list holds nothing: null, false, a blank, or only zeros. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === false || (typeof value !== "object" && /^[\s0.-]*$/.test(String(value)));

const asText = (value: unknown) => String(value ?? "").trim();

/** Whether a value has a part that was not sent. */
function adds(value: unknown, sent: unknown): boolean {
  if (typeof value !== "object" || value === null) return !isBlank(value) && asText(value) !== asText(sent);
  return Object.entries(value).some(([name, inner]) => adds(inner, (sent as Record<string, unknown> | undefined)?.[name]));
}

const nameAt = (path: string) => path.slice(path.lastIndexOf(".") + 1);

type ErrorFields = Readonly<Record<string, unknown>>;

const ERROR_FIELDS = new Set(["field", "message", ...Object.keys(ApiError.shape)]);

/** The service's errors as a list, whether it sent a list, an object by field, one error, or text. */
function listOf(errors: unknown): ErrorFields[] {
  if (Array.isArray(errors))
    return errors.flatMap((error: unknown) => {
      const found = listOf(error);
      return found.length === 0 && typeof error === "object" && error !== null ? [{}] : found;
    });
  if (typeof errors !== "object" || errors === null) return isBlank(errors) ? [] : [{ message: String(errors) }];
  const entries = Object.entries(errors).filter(([, value]) => !isBlank(value));
  if (entries.some(([name]) => ERROR_FIELDS.has(name))) return [errors as ErrorFields];
  return entries.flatMap(([field, value]) => listOf(value).map((error) => ({ ...error, field })));
}

function apiErrorOf({ errorCode, errorMessage, message, offendingFields, field }: ErrorFields): ApiError {
  const text = [errorMessage ?? message].flat().filter((part) => typeof part === "string");
  const fields = [offendingFields ?? field].flat().filter((name) => typeof name === "string");
  return {
    ...(typeof errorCode === "number" && { errorCode }),
    ...(text.length > 0 && { errorMessage: text.join(", ") }),
    ...(fields.length > 0 && { offendingFields: fields }),
  };
}

/** The errors in a 2xx response: in the field for them, or in place of the record, as in an error response. */
function errorsIn(body: unknown, { errors }: OutcomePaths): ApiError[] {
  const inPlace = Object.keys(ApiError.shape).some((name) => !isBlank(valueAt(name, body)));
  return [...listOf(valueAt(errors, body)), ...(inPlace ? [body as ErrorFields] : [])].map(apiErrorOf);
}

const rejected = (errors: ApiError[]): Refusal => ({ code: "rejected", message: "rejected by the service", errors });

/** What the response to an update says: undefined if nothing contradicts that it took effect. */
function updateRefusal(paths: OutcomePaths, sent: unknown, body: unknown): Refusal | undefined {
  const errors = errorsIn(body, paths);
  const id = valueAt(paths.id, body);
  const isSent = asText(id) === asText(valueAt(nameAt(paths.id), sent));
  if (errors.length > 0) return { ...rejected(errors), ...(isSent && { changed: "unknown" }) };
  return isBlank(id) || isSent ? undefined : { code: "contract", message: "the response is about another record" };
}

/** What the response to a creation says: undefined if it identifies a new record, or at least says more about it than was sent. */
function creationRefusal({ idempotencyKey: key }: Operation, paths: OutcomePaths, sent: unknown, body: unknown): Refusal | undefined {
  const errors = errorsIn(body, paths);
  const isAssigned = (path: string, field: string) => adds(valueAt(path, body), valueAt(field, sent));
  if (isAssigned(paths.id, nameAt(paths.id)) || (key && isAssigned(key.outputPath, key.field))) return undefined;
  if (errors.length > 0) return rejected(errors);
  const record = paths.id.includes(".") ? valueAt(paths.id.slice(0, paths.id.lastIndexOf(".")), body) : body;
  return adds(record, sent) ? undefined : { code: "contract", message: "the response contains neither a new record nor errors" };
}

/** The refusal in a 2xx response to a write, if any. `body` is the response as sent, since repairing it may remove errors and ids. */
export function writeRefusal(operation: Operation, paths: OutcomePaths, sent: unknown, body: unknown): Refusal | undefined {
  return operation.effect === "create" ? creationRefusal(operation, paths, sent, body) : updateRefusal(paths, sent, body);
}

/** Restores in the output what repairing removed from it: ids sent as numbers, and errors of another shape. */
export function restoreOutcome({ idempotencyKey }: Operation, paths: OutcomePaths, body: unknown, output: unknown): void {
  for (const path of [paths.id, ...(idempotencyKey ? [idempotencyKey.outputPath] : [])]) {
    const id = valueAt(path, body);
    if (Number.isSafeInteger(id) && valueAt(path, output) === undefined) putAt(path, output, String(id));
  }
  const errors = errorsIn(body, paths);
  const kept = valueAt(paths.errors, output);
  if (errors.length === (Array.isArray(kept) ? kept.length : 0)) return;
  const shown = errors.map(
    ({ errorMessage, offendingFields }): JobError => ({
      ...(offendingFields && { field: offendingFields.join(", ") }),
      ...(errorMessage !== undefined && { message: errorMessage }),
    }),
  );
  putAt(paths.errors, output, shown);
}
