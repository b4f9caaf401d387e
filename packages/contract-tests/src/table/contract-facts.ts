import {
  ApiError,
  type AuthScheme,
  createFleetClient,
  Identifier,
  jsonSchemaOf,
  type Operation,
  operations,
  type ServerName,
  serverNames,
} from "@fleetwire/core";
import { isOptional } from "@fleetwire/core/internal";
import { samples } from "@fleetwire/core/samples";
import type * as z from "zod";
import { FIXTURE_CUSTOMER, REPLAY_CREDENTIALS, REPLAY_TOKEN, withoutSecrets } from "../fixtures/placeholders.ts";
import { pathValuesOf } from "../replay/request-path.ts";
import type { ContractTable } from "./contract-table.ts";

type Json = Record<string, unknown>;

const RULES = ["minLength", "maxLength", "pattern", "maxItems", "minItems", "minimum", "maximum"] as const;

/** An example of each time format in the description. */
const TIME_EXAMPLES: Readonly<Record<string, string>> = {
  "YYYY-MM-DDThh:mm:ss": "2026-11-20T08:30:59",
  "YYYY-MM-DDTHH:mmZ": "2026-11-20T08:30Z",
  "YYYY-DD-MM": "2026-20-11",
};

const ALPHANUMERIC = { accepted: ["c1001", "ABC", "0"], refused: ["a,b", "a.b", "a/b", "ä"] };

/** Whether a request schema accepts a value unchanged. */
function passes(schema: z.ZodType, value: unknown): boolean {
  const parsed = schema.safeParse(value);
  return parsed.success && JSON.stringify(parsed.data) === JSON.stringify(value);
}

function isAlphanumeric(schema: z.ZodType): boolean {
  const list = schema.safeParse(["a"]).success;
  const given = (text: string) => (list ? [text] : text);
  return (
    ALPHANUMERIC.accepted.every((text) => passes(schema, given(text))) &&
    !ALPHANUMERIC.refused.some((text) => schema.safeParse(given(text)).success)
  );
}

function schemaFacts(schema: Json): string[] {
  const { items, anyOf } = schema as { items?: Json; anyOf?: Json[] };
  const types = [schema["type"] ?? anyOf?.map(({ type }) => type) ?? "object"].flat() as string[];
  const one = anyOf?.find(({ type }) => type !== "null") ?? schema;
  const values = [schema["enum"] ?? items?.["enum"] ?? (schema["const"] === undefined ? [] : [schema["const"]])].flat();
  return [
    `type ${types.find((type) => type !== "null")}`,
    ...(items ? [`items ${items["type"] ?? "object"}`] : []),
    ...(one["format"] === undefined ? [] : [`format ${one["format"]}`]),
    ...(types.includes("null") ? ["nullable"] : []),
    ...(schema["deprecated"] ? ["deprecated"] : []),
    ...(schema["readOnly"] ? ["readOnly"] : []),
    ...values.map((value) => `enum ${value}`),
    ...RULES.flatMap((rule) => (schema[rule] === undefined ? [] : [`${rule} ${schema[rule]}`])),
    ...RULES.flatMap((rule) => (items?.[rule] === undefined ? [] : [`items ${rule} ${items[rule]}`])),
  ];
}

type Add = (fact: string) => void;

/** Adds the facts about everything inside a JSON Schema. */
function innerFacts(schema: Json, path: string, add: Add): void {
  const { properties, items, required = [] } = schema as { properties?: Record<string, Json>; items?: Json; required?: string[] };
  if (items) innerFacts(items, `${path}[]`, add);
  for (const [name, field] of Object.entries(properties ?? {})) {
    const fieldPath = path === "" ? name : `${path}.${name}`;
    for (const fact of schemaFacts(field)) add(`${fieldPath} ${fact}`);
    if (required.includes(name)) add(`${fieldPath} required`);
    innerFacts(field, fieldPath, add);
  }
}

/** What core states about the interface: the operations, each with a sample call and response. */
export interface Contract {
  operations: Readonly<Record<string, Operation>>;
  samples: Readonly<Record<string, { input: unknown; output: unknown }>>;
}

/** Core's contract. */
export const coreContract: Contract = { operations, samples };

type RequestPart = "path" | "query" | "body";

const partOf = ({ params = {}, query, body = {} }: Operation, where: RequestPart) => ({ path: params, query, body })[where];

/** The facts about a request's fields. Time formats and identifiers are probed with values, since patterns are implementation details. */
function requestFacts(where: RequestPart, operation: Operation, add: Add): void {
  for (const [name, field] of Object.entries(partOf(operation, where))) {
    const schema = jsonSchemaOf(field) as Json;
    const forms = Object.entries(TIME_EXAMPLES).filter(([, example]) => schema["pattern"] !== undefined && passes(field, example));
    const alphanumeric = isAlphanumeric(field);
    const facts = schemaFacts(schema).filter(
      (fact) => !(fact.includes("pattern ") && (forms.length > 0 || alphanumeric) && !fact.endsWith("^[a-z0-9]+$")),
    );
    for (const fact of facts) add(`${where}.${name} ${fact}`);
    for (const [form] of forms) add(`${where}.${name} written ${form}`);
    if (alphanumeric) add(`${where}.${name} form alphanumeric`);
    // Path placeholders are always required.
    if (where !== "path" && !isOptional(field)) add(`${where}.${name} required`);
    innerFacts(schema, name, (fact) => add(`${where}.${fact}`));
  }
}

function responseFacts({ output, errors = {} }: Operation, apiError: Json, add: Add): void {
  const body = jsonSchemaOf(output) as Json;
  add(`200 type ${body["type"]}`);
  innerFacts(body, "", (fact) => add(`200.${fact}`));
  for (const [status, { body: kind, when }] of Object.entries(errors)) {
    add(`${status} type ${kind === "list" ? "array" : "object"}`);
    add(`${status} is documented`);
    innerFacts(kind === "list" ? { items: apiError } : apiError, "", (fact) => add(`${status}.${fact}`));
    for (const field of ["id", "name", "parentId", "personIds", "vehicleIds"])
      if (when.some((words) => new RegExp(`\\b${field}\\b`).test(words))) add(`${status} names ${field}`);
  }
}

/** The headers that the client sends for an operation under a scheme, with placeholders for secrets. */
async function sentHeaders(operation: Operation, scheme: AuthScheme, contract: Contract): Promise<Record<string, string>> {
  let sent: Record<string, string> = {};
  const sample = contract.samples[operation.name];
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const { pathname } = new URL(String(url));
    if (pathValuesOf(operation.path, pathname)) sent = Object.fromEntries(new Headers(init?.headers));
    const isToken = pathname === operations.requestAccessToken.path;
    return Response.json(isToken ? { success: true, accessToken: REPLAY_TOKEN, token_type: "bearer", expires_in: 60 } : sample?.output);
  };
  const servers = Object.fromEntries(serverNames.map((name) => [name, `https://${name.toLowerCase()}.example`])) as Record<
    ServerName,
    string
  >;
  const fleet = createFleetClient({
    customerId: FIXTURE_CUSTOMER,
    credentials: REPLAY_CREDENTIALS,
    servers,
    fetch,
  });
  await fleet.request({ ...operation, auth: [scheme] }, sample?.input);
  return Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, withoutSecrets(value)]));
}

/** Whether an operation's input enforces a rule that involves several fields. */
function enforcesRule({ input }: Operation, call: unknown, rule: string, fields: readonly string[], absent: readonly string[]): boolean {
  const { address: _, lat: __, lng: ___, ...bare } = (call ?? {}) as Json;
  const sample: Json = { address: "Lyon", lat: 45.7, lng: 4.8, linkingId: "l1", linkedJobIndex: "1" };
  const some = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, sample[name]]));
  const accepts = (given: Json) => input.safeParse({ ...bare, ...given }).success;
  if (rule === "notTogether")
    return !accepts({ address: "Lyon", ...some(fields) }) && fields.every((field) => accepts({ address: "Lyon", ...some([field]) }));
  if (rule === "requiredTogether") return accepts(some(fields)) && fields.every((field) => !accepts({ address: "Lyon", ...some([field]) }));
  return !accepts({}) && accepts(some(fields)) && accepts(some(absent));
}

/** Everything that core states about the interface, in the same form as the table's facts. */
export async function factsOfContract(table: ContractTable, contract: Contract = coreContract): Promise<Set<string>> {
  const facts = new Set<string>(serverNames.map((name) => `server ${name}`));
  if (isAlphanumeric(Identifier)) for (const name of ["customerId", "personId", "vehicleId"]) facts.add(`identifier ${name} alphanumeric`);
  const apiError = jsonSchemaOf(ApiError) as Json;
  for (const operation of Object.values(contract.operations)) {
    const add: Add = (fact) => facts.add(`${operation.name} ${fact}`);
    add(`request ${operation.method} ${operation.path}`);
    for (const [, name] of operation.path.matchAll(/\{(\w+)\}/g)) add(`path parameter ${name}`);
    for (const [, version] of operation.path.matchAll(/\/(v\d+)\//g)) add(`version ${version}`);
    for (const server of operation.servers) add(`server ${server}`);
    for (const scheme of operation.auth) {
      add(`auth ${scheme}`);
      const headers = await sentHeaders(operation, scheme, contract);
      for (const name of ["authorization", "x-connect-token"])
        if (headers[name] !== undefined) facts.add(`scheme ${scheme} ${name}: ${headers[name]}`);
      if (headers["content-type"] !== undefined) add(`header content-type: ${headers["content-type"]}`);
      for (const row of table.ofKind("header", operation.name))
        if (row.name !== "authorization" && row.name !== undefined && headers[row.name] !== undefined)
          add(`header ${row.name}: ${headers[row.name]}`);
    }
    for (const row of table.ofKind("rule", operation.name)) {
      const [rule, fields, absent] = [String(row["rule"]), (row["fields"] ?? []) as string[], (row["absent"] ?? []) as string[]];
      if (enforcesRule(operation, contract.samples[operation.name]?.input, rule, fields, absent)) add(`rule ${rule} ${fields.join(", ")}`);
    }
    if (operation.undocumented) {
      add("only the path is documented");
      continue;
    }
    for (const where of ["path", "query", "body"] as const) requestFacts(where, operation, add);
    responseFacts(operation, apiError, add);
  }
  return facts;
}

/** Cached per operation, since they are used for every field. */
const schemas = new WeakMap<Operation, Partial<Record<RequestPart | "200", Json>>>();

/** The description of a request or response field at a path. */
export function descriptionAt(operation: Operation, where: RequestPart | "200", path: string): string {
  const known = schemas.get(operation) ?? {};
  schemas.set(operation, known);
  known[where] ??=
    where === "200"
      ? (jsonSchemaOf(operation.output) as Json)
      : { properties: Object.fromEntries(Object.entries(partOf(operation, where)).map(([name, field]) => [name, jsonSchemaOf(field)])) };
  const inside = path.split(".").reduce<Json | undefined>((schema, part) => {
    const items = (at: Json | undefined) => (part.endsWith("[]") ? (at?.["items"] as Json) : at);
    const name = part.replace("[]", "");
    return items(name === "" ? schema : (schema?.["properties"] as Record<string, Json> | undefined)?.[name]);
  }, known[where]);
  return String(inside?.["description"] ?? "");
}
