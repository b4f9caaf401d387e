import { isRecord, putAt, valueAt } from "../json-values.ts";
import type { Operation, OutcomePaths, Refusal } from "../operation.ts";
import { replaceUnsafe } from "../plain-text.ts";
import { ApiError } from "../schemas/group.ts";
import type { JobError } from "../schemas/job.ts";
import { type Check, checkOf } from "./compile-check.ts";

const asText = (value: unknown) => replaceUnsafe(String(value ?? ""), () => "").trim();

const isSame = (one: unknown, other: unknown) => asText(one).toLowerCase() === asText(other).toLowerCase();

/** Texts and numbers that services send for a missing value. */
const NOTHING = /^([\s0.-]*|null|none|undefined|nan|-?infinity|n\/a)$/i;

/** Means a missing value too, but not in an error, where it says what is wrong. */
const UNKNOWN = /^\$?unknown$/i;

/** Whether a value holds something other than null, false, a blank, zeros, and words for a missing value. */
function saysSomething(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(saysSomething);
  return value !== false && !NOTHING.test(asText(value));
}

const isKnown = (value: unknown): boolean => saysSomething(value) && !UNKNOWN.test(asText(value));

/** Whether a value can be an id or a number of a record. */
export function canIdentify(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(canIdentify);
  return typeof value !== "boolean" && isKnown(value) && !(Number(asText(value)) <= 0);
}

/** Whether a returned key is another one than was sent. */
export const isOther = (returned: unknown, sent: unknown): boolean => canIdentify(returned) && !isSame(returned, sent);

const nameAt = (path: string) => path.slice(path.lastIndexOf(".") + 1);

/** Like `valueAt`, but reads a list of one as its entry. */
const entryAt = (path: string, body: unknown): unknown =>
  path.split(".").reduce((value, name) => valueAt(name, Array.isArray(value) && value.length === 1 ? value[0] : value), body);

type ErrorFields = Readonly<Record<string, unknown>>;

const ERROR_FIELDS = new Set(["field", "message", ...Object.keys(ApiError.shape)]);

/** The service's errors as a list, whether it sent a list, an object by field, one error, or text. */
function listOf(errors: unknown): ErrorFields[] {
  if (Array.isArray(errors))
    return errors.flatMap((error: unknown) => {
      const found = listOf(error);
      return found.length === 0 && typeof error === "object" && error !== null ? [{}] : found;
    });
  if (typeof errors !== "object" || errors === null) return saysSomething(errors) ? [{ message: String(errors) }] : [];
  const entries = Object.entries(errors).filter(([, value]) => saysSomething(value));
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

/** The errors in a 2xx response: in the field for them or one that is usual, or in place of the record, as in an error response. */
function errorsIn(body: unknown, { errors }: OutcomePaths): ErrorFields[] {
  const inPlace = valueAt("success", body) === false || Object.keys(ApiError.shape).some((name) => saysSomething(valueAt(name, body)));
  const listed = [...new Set([errors, "error"])].flatMap((path) => listOf(valueAt(path, body)));
  return [...listed, ...(inPlace ? [body as ErrorFields] : [])];
}

/** Whether an entry in the list of errors is one: services send empty entries too, and 0 for "no error" as well as for "no code". */
function isError({ success, errorCode, errorMessage, message, offendingFields, field }: ErrorFields): boolean {
  if (success === false || saysSomething([errorCode, offendingFields, field])) return true;
  return errorCode !== 0 && errorCode !== "0" && saysSomething([errorMessage, message]);
}

/** The errors in the body of an error response that is written like the response to a write. */
export const errorsInBody = (body: unknown, paths: OutcomePaths): ApiError[] => errorsIn(body, paths).filter(isError).map(apiErrorOf);

const rejected = (errors: ErrorFields[]): Refusal => ({
  code: "rejected",
  message: "rejected by the service",
  errors: errors.map(apiErrorOf),
});

/** What the response to an update says: undefined if nothing contradicts that it took effect. */
function updateRefusal({ output }: Operation, paths: OutcomePaths, sent: unknown, body: unknown): Refusal | undefined {
  const errors = errorsIn(body, paths);
  const id = valueAt(paths.id, body);
  const isSent = isSame(id, valueAt(nameAt(paths.id), sent));
  if (errors.some(isError)) return { ...rejected(errors), ...(isSent && { changed: "unknown" }) };
  if (isOther(id, valueAt(nameAt(paths.id), sent))) return { code: "contract", message: "the response is about another record" };
  const isAbsent = !isSent && (errors.length > 0 || hasUndocumented(checkOf(output), body));
  return isAbsent ? { code: "contract", message: "the response contains neither the record nor errors" } : undefined;
}

/** Whether a value has an undocumented field, which may mean anything. */
const hasUndocumented = ({ index }: Check, value: unknown): boolean =>
  isRecord(value) && Object.keys(value).some((name) => name !== "success" && !index.has(name) && saysSomething(value[name]));

/** Whether a record has a documented field that was not sent. */
function adds({ kind, fields }: Check, value: unknown, sent: unknown): boolean {
  if (kind !== "object") return isKnown(value) && !isKnown(sent);
  return isRecord(value) && fields.some((field) => adds(field, value[field.name], valueAt(field.name, sent)));
}

/** What the response to a creation says: undefined if it identifies a new record, or adds to what was sent, with nothing that we do not understand. */
function creationRefusal(
  { output, idempotencyKey: key }: Operation,
  paths: OutcomePaths,
  sent: unknown,
  body: unknown,
): Refusal | undefined {
  const ids = [[paths.id, nameAt(paths.id)] as const, ...(key ? [[key.outputPath, key.field] as const] : [])];
  if (ids.some(([path, field]) => isOther(entryAt(path, body), valueAt(field, sent)))) return undefined;
  const errors = errorsIn(body, paths);
  if (errors.some(isError)) return rejected(errors);
  const whole = checkOf(output);
  const parents = paths.id.split(".").slice(0, -1);
  const check = parents.reduce<Check | undefined>((outer, name) => outer?.fields[outer.index.get(name) ?? -1], whole);
  const record = parents.length > 0 ? entryAt(parents.join("."), body) : body;
  const rest = isRecord(record) ? { ...record, ...Object.fromEntries(ids.map(([path]) => [nameAt(path), undefined])) } : undefined;
  const isNew = check && errors.length === 0 && !hasUndocumented(whole, body) && !hasUndocumented(check, rest) && adds(check, rest, sent);
  return isNew ? undefined : { code: "contract", message: "the response contains neither a new record nor errors" };
}

/** The refusal in a 2xx response to a write, if any. `body` is the response as sent, since repairing it may remove errors and ids. */
export function writeRefusal(operation: Operation, paths: OutcomePaths, sent: unknown, body: unknown): Refusal | undefined {
  return (operation.effect === "create" ? creationRefusal : updateRefusal)(operation, paths, sent, body);
}

/** Restores in the output what repairing removed from it: ids sent as numbers or in a list of one, and errors of another shape. */
export function restoreOutcome({ idempotencyKey }: Operation, paths: OutcomePaths, body: unknown, output: unknown): void {
  for (const path of [paths.id, ...(idempotencyKey ? [idempotencyKey.outputPath] : [])]) {
    const id = entryAt(path, body);
    if ((typeof id === "string" || Number.isSafeInteger(id)) && valueAt(path, output) === undefined) putAt(path, output, String(id));
  }
  const errors = errorsIn(body, paths).map(apiErrorOf);
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
