import { FleetError, jsonSchemaOf, type Operation, type RequestField, requestFields } from "@fleetwire/core";
import { isRecord, parseInput } from "@fleetwire/core/internal";
import { Refusal, refuse } from "./refusal.ts";

/** Rejects a body with the wrong media type or a charset other than UTF-8. */
function checkMediaType(headers: Headers, expected: string): void {
  const [given = "", ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const [wanted = ""] = expected.toLowerCase().split(";");
  if (given.trim() !== wanted) throw refuse(415, "wrongMediaType", `The body must be sent as ${expected}`);
  const charset = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith("charset="));
  if (charset && charset.slice(8).replaceAll('"', "") !== "utf-8") throw refuse(415, "wrongMediaType", "The body must be encoded in UTF-8");
}

const MAX_BYTES = 1_048_576;

/** Reads a body as bytes, up to a limit. */
export async function readBytes(request: Request): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => refuse(413, "tooLarge", `The body may have at most ${MAX_BYTES} bytes`);
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BYTES) throw tooLarge();
  if (!request.body) return new Uint8Array(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > MAX_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Refusal ? error : refuse(400, "malformed", "The body was truncated");
  }
  return Buffer.concat(chunks);
}

/** Parses a body as JSON, or as the fields of a form. */
export async function readBody(request: Request, expected: string): Promise<unknown> {
  checkMediaType(request.headers, expected);
  const bytes = await readBytes(request);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse(400, "malformed", "The body is not valid UTF-8");
  }
  if (expected.startsWith("application/x-www-form-urlencoded")) return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(400, "malformed", "The body is not valid JSON");
  }
}

/** An input field with the JSON Schema of what is sent. */
interface SentField {
  readonly in: RequestField["in"];
  readonly type: unknown;
  readonly pattern: RegExp | undefined;
}

const fieldsByOperation = new WeakMap<Operation, ReadonlyMap<string, SentField>>();

function fieldsOf(operation: Operation): ReadonlyMap<string, SentField> {
  const known = fieldsByOperation.get(operation);
  if (known) return known;
  const fields = Object.entries(requestFields(operation)).map(([name, { in: part, schema }]) => {
    const { type, pattern } = jsonSchemaOf(schema);
    return [name, { in: part, type, pattern: typeof pattern === "string" ? new RegExp(pattern) : undefined }] as const;
  });
  const found = new Map(fields);
  fieldsByOperation.set(operation, found);
  return found;
}

/** The value that the text of a parameter represents. */
function literal(text: string): unknown {
  if (text === "null") return null;
  if (text === "true" || text === "false") return text === "true";
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** A parameter's value: a list is comma-separated, and repeated parameters are joined. Undefined if blank. */
function parameter(texts: readonly string[], type: unknown): unknown {
  if (type === "array") {
    const entries = texts.flatMap((text) => text.split(",")).map((entry) => entry.trim());
    const filled = entries.filter((entry) => entry !== "");
    return filled.length > 0 ? filled : undefined;
  }
  const text = texts[0]?.trim() || undefined;
  return text === undefined || type === "string" ? text : literal(text);
}

/** The fields of an operation's input as they were sent; others are ignored. */
export function sentInput(operation: Operation, segments: Readonly<Record<string, string>>, query: URLSearchParams, body: unknown) {
  if (operation.body && !isRecord(body)) throw refuse(400, "malformed", "The body must be a JSON object");
  const sentValue = (name: string, { in: part, type }: SentField): unknown => {
    if (part === "body") return isRecord(body) && Object.hasOwn(body, name) ? body[name] : undefined;
    // The parameters of an undocumented operation.
    if (type === "object") return Object.fromEntries([...query].filter(([key, text]) => key !== "" && text.trim() !== ""));
    return parameter(part === "path" ? [segments[name] ?? ""] : query.getAll(name), type);
  };
  return Object.fromEntries([...fieldsOf(operation)].map(([name, field]) => [name, sentValue(name, field)]));
}

/** An operation's input as it is sent. */
type Sent<Input> = { readonly [Name in keyof Input]: Exclude<Input[Name], Date> };

/** A field that is refused, and the rule that it breaks. */
interface Problem {
  readonly field: string;
  readonly message: string;
}

const without = (input: Readonly<Record<string, unknown>>, fields: Iterable<string>) => {
  const left = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  for (const field of fields) left.delete(field.split(".")[0] ?? "");
  return Object.fromEntries(left);
};

/** Checks an input with the schemas of core. Returns its valid fields, and one problem for each other field. */
export function checkInput<Input>(operation: Operation<Input>, sent: Readonly<Record<string, unknown>>) {
  const problems = new Map<string, string>();
  const add = (field: string, rule: string) => problems.has(field) || problems.set(field, rule);
  // Rules that involve several fields are only checked if each of them is valid.
  for (const _pass of [1, 2]) {
    try {
      parseInput(operation, without(sent, problems.keys()));
      break;
    } catch (error) {
      if (!(error instanceof FleetError) || !error.errors) throw error;
      for (const { errorMessage = "", offendingFields: [path] = [] } of error.errors) {
        if (path === undefined) throw refuse(400, "malformed", errorMessage);
        // Not the position in a list.
        add(path.replace(/\.\d.*$/, ""), errorMessage);
      }
    }
  }
  for (const [name, { pattern }] of fieldsOf(operation)) {
    const value = sent[name];
    // The schemas of core also accept what the client converts.
    if (typeof value === "string" && pattern?.test(value) === false) add(name, `must have the format documented in ${operation.source}`);
  }
  const valid = without(sent, problems.keys()) as Partial<Sent<Input>>;
  return { valid, problems: [...problems].map(([field, message]): Problem => ({ field, message })) };
}

/** An operation's input. Throws a `Refusal` that names each invalid field. */
export function validInput<Input>(operation: Operation<Input>, sent: Readonly<Record<string, unknown>>): Sent<Input> {
  const { valid, problems } = checkInput(operation, sent);
  refuseFields(problems);
  return valid as Sent<Input>;
}

/** Throws a `Refusal` with status 400 if there are problems. */
export function refuseFields(problems: readonly Problem[]): void {
  const [first, ...others] = problems.map(({ field, message }) => ({
    name: "invalid" as const,
    message: `${field} ${message}`,
    fields: [field],
  }));
  if (first) throw new Refusal(400, [first, ...others]);
}
