import { readdirSync, readFileSync } from "node:fs";
import type * as z from "zod";
import { errorCodeOf } from "../../src/client/status-error.ts";
import { returnsList } from "../../src/client/stream-records.ts";
import type { AuthScheme, Effect, Operation } from "../../src/operation.ts";
import { operations } from "../../src/operations/index.ts";
import { type RequestField, requestFields } from "../../src/request-fields.ts";
import { comment, fieldDoc } from "./doc-text.ts";
import { type Side, shapes, shapesWithin, typeText } from "./type-text.ts";

const WIDTH = 140;
const HEADER = "// Written by npm run generate. Change the schemas and operations instead.\n";

type Fields = Readonly<Record<string, z.core.$ZodType>>;

/** The doc comments of exported constants, by name: an interface gets the comment of its schema. */
function commentsIn(folder: URL): Map<string, string> {
  const sources = readdirSync(folder)
    .filter((name) => !name.includes(".generated."))
    .map((name) => readFileSync(new URL(name, folder), "utf8"));
  const above = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\nexport const (\w+)/g;
  return new Map(
    sources.flatMap((source) =>
      [...source.matchAll(above)].map(([, text = "", name = ""]) => [
        name,
        text
          .replace(/^\s*\*/gm, "")
          .replace(/\s+/g, " ")
          .trim(),
      ]),
    ),
  );
}

/** A property, with a long union split over several lines. */
function property(name: string, type: string): string {
  const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
  const start = `  ${key}${/ \| undefined$/.test(type) ? "?" : ""}:`;
  const line = `${start} ${type};`;
  if (line.length <= WIDTH) return line;
  const members = type.split(" | ").map((member) => `    | ${member}`);
  return `${start}\n${members.join("\n")};`;
}

function interfaceText(name: string, doc: readonly string[], fields: Fields, side: Side, base?: string): string {
  const members = Object.entries(fields).map(
    ([field, schema]) => `${comment(fieldDoc(schema), "  ")}${property(field, typeText(schema, side))}\n`,
  );
  return `${comment(doc, "")}export interface ${name}${base ? ` extends ${base}` : ""} {\n${members.join("")}}\n`;
}

/** The name of the shape that an operation's body uses unchanged, if any. */
const bodyShapeOf = ({ body }: Operation) => [...shapes].find(([, { shape }]) => shape === body)?.[0];

const fieldsOf = (operation: Operation, isOwn: (field: RequestField) => boolean = () => true): Fields =>
  Object.fromEntries(Object.entries(requestFields(operation)).flatMap(([name, field]) => (isOwn(field) ? [[name, field.schema]] : [])));

/** The shapes used in requests. */
const requestShapes = (all: readonly Operation[]) =>
  new Set(all.flatMap((operation) => [...Object.values(fieldsOf(operation)).flatMap(shapesWithin), bodyShapeOf(operation)]));

function renderShapes(all: readonly Operation[], schemas: URL): string {
  const inResponses = new Set(all.flatMap(({ output }) => shapesWithin(output)));
  const inRequests = requestShapes(all);
  const comments = commentsIn(schemas);
  const interfaces = [...shapes].map(([name, { shape }]) => {
    const doc = comments.get(name);
    if (doc === undefined) throw new Error(`${name} has no doc comment: write one above it in packages/core/src/schemas`);
    return interfaceText(name, [doc], shape, inRequests.has(name) && !inResponses.has(name) ? "input" : "output");
  });
  return [HEADER, ...interfaces].join("\n");
}

const inputName = ({ name }: Operation) => `${name[0]?.toUpperCase()}${name.slice(1)}Input`;

/** The interfaces of the operations' inputs: path, query and body fields in one object. */
export function renderInputs(all: readonly Operation[]): string {
  const interfaces = all.map((operation) => {
    const base = bodyShapeOf(operation);
    const doc = [`Input of ${operation.name} (${operation.source}).`];
    const fields = fieldsOf(operation, (field) => base === undefined || field.in !== "body");
    return interfaceText(inputName(operation), doc, fields, "input", base);
  });
  const used = [...requestShapes(all)]
    .filter((name) => name !== undefined && interfaces.some((text) => new RegExp(`\\b${name}\\b`).test(text)))
    .sort();
  const imports = used.length > 0 ? `import type { ${used.join(", ")} } from "../schemas/shapes.generated.ts";\n` : "";
  return [HEADER + imports, ...interfaces].join("\n");
}

const SCHEMES: Record<AuthScheme, string> = {
  basic: "HTTP Basic",
  bearer: "a bearer token",
  "connect-token": "`x-connect-token`",
};

const EFFECTS: Record<Effect, string> = {
  read: "Only reads.",
  update: "Safe to repeat.",
  create:
    "Each call creates a new record. If a response is lost, the call is retried with the same idempotency key; without one it fails with `unknownOutcome`.",
};

const join = (words: readonly string[], last: string) =>
  words.length > 1 ? `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}` : words.join("");

function methodDoc(operation: Operation): string[] {
  const { summary, source, method, path, servers, auth, effect, undocumented, idempotencyKey, errors = {} } = operation;
  const refusals = Object.entries(errors).map(
    ([status, { when, advice }]) =>
      `@throws FleetError \`${errorCodeOf(Number(status))}\` (HTTP ${status}): ${when.join("; ")}. ${advice}.`,
  );
  return [
    `${summary} (${source}).${undocumented ? " Parameters and response are passed through." : ""}`,
    `\`${method} ${path}\` at ${servers.map((server) => `\`servers.${server}\``).join(" or, if that is not set, ")}, with ${join(
      auth.map((scheme) => SCHEMES[scheme]),
      "or",
    )}. ${EFFECTS[effect]}`,
    ...refusals,
    `@throws FleetError with any ${refusals.length > 0 ? "other " : ""}{@link FleetErrorCode}; \`input\` is thrown before anything is sent.${
      idempotencyKey ? ` Each error has the ${idempotencyKey.field} used.` : ""
    }`,
  ];
}

/** The type of the entries of a list in an output. */
function entryType(output: z.core.$ZodType, path: readonly string[]): string {
  const { shape, innerType, element } = (output as z.ZodType)._zod.def as unknown as Record<string, unknown>;
  const [name, ...rest] = path;
  if (innerType) return entryType(innerType as z.core.$ZodType, path);
  if (name !== undefined) return entryType((shape as Fields)[name] as z.core.$ZodType, rest);
  return typeText(element as z.core.$ZodType, "output");
}

function methodType(operation: Operation): string {
  const { input, output, idempotencyKey, paging } = operation;
  const result = typeText(output, "output");
  const optional = input.safeParse({}).success ? "OptionalInput" : "";
  if (paging) return `${optional}PagedMethod<${inputName(operation)}, ${result}, ${entryType(output, paging.items.split("."))}>`;
  if (optional && returnsList(operation)) return `${optional}ListMethod<${inputName(operation)}, ${entryType(output, [])}>`;
  return `${optional || "Operation"}Method<${inputName(operation)}, ${idempotencyKey ? `Creation<${result}>` : result}>`;
}

/** A type import, with one name per line if it is too long. */
function importLine(names: readonly string[], from: string): string {
  const sorted = [...names].sort();
  const line = `import type { ${sorted.join(", ")} } from "${from}";\n`;
  return line.length - 1 <= WIDTH ? line : `import type {\n${sorted.map((name) => `  ${name},\n`).join("")}} from "${from}";\n`;
}

const METHOD_TYPES = ["OperationMethod", "OptionalInputListMethod", "OptionalInputMethod", "OptionalInputPagedMethod", "PagedMethod"];

function renderClient(all: readonly Operation[]): string {
  const methods = all.map((operation) => {
    return `${comment(methodDoc(operation), "  ")}  readonly ${operation.name}: ${methodType(operation)};\n`;
  });
  const text = methods.join("\n");
  const used = (names: readonly string[]) => names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  return `${HEADER}import type { FleetErrorCode } from "../errors.ts";
import type { Creation } from "../operation.ts";
${importLine(all.map(inputName), "../operations/inputs.generated.ts")}${importLine(used([...shapes.keys()]), "../schemas/shapes.generated.ts")}${importLine([...used(METHOD_TYPES), "RequestMethod"], "./operation-method.ts")}
/** A client for the fleet service, with one method per operation. */
export interface FleetClient {
${text}
${comment(["Call a custom operation, made with `defineOperation`, with the same guarantees.", "@throws FleetError with any {@link FleetErrorCode}; `input` is thrown before anything is sent."], "  ")}  readonly request: RequestMethod;
}
`;
}

/** The generated files, by path below `src`. */
export function renderInterfaces(src: URL): Record<string, string> {
  const all = Object.values<Operation>(operations);
  return {
    "schemas/shapes.generated.ts": renderShapes(all, new URL("schemas/", src)),
    "operations/inputs.generated.ts": renderInputs(all),
    "client/fleet-client.generated.ts": renderClient(all),
  };
}
