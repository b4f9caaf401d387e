export type Json = Record<string, unknown>;

/** Words of descriptions that are facts, since no schema keyword states them: units, zones and how a token is written. */
const WORDS: Readonly<Record<string, RegExp>> = {
  "km/h": /km\/h|\bkph\b/i,
  km: /\bkm\b(?!\/)/i,
  miles: /\bmiles\b/i,
  metres: /\bmetres\b/i,
  litres: /\blitres\b/i,
  percent: /\bpercent/i,
  degrees: /\bdegrees\b/i,
  hours: /\bhours\b/i,
  minutes: /\bminutes?\b/i,
  seconds: /\bseconds\b/i,
  UTC: /\bUTC\b/,
  "from 0": /\bfrom 0\b|\bzero-based\b/i,
  TOKEN: /\bTOKEN\b/,
  "clientId:clientSecret": /\bclientId:clientSecret\b/,
};

const NO_FACT = new Set(["$comment", "title", "example", "examples", "description", "x-part"]);

const METHODS = new Set(["get", "put", "post", "delete", "patch"]);

const entries = (value: unknown): [string, Json][] => Object.entries((value ?? {}) as Record<string, Json>);

/** A reference's target with the keywords beside the reference, which may restrict properties of the target. */
export function resolved(document: Json, { $ref, ...own }: Json): Json {
  if ($ref === undefined) return own;
  const target = String($ref)
    .split("/")
    .slice(1)
    .reduce<Json>((found, key) => found[key] as Json, document);
  const base = resolved(document, target);
  const restricted = entries(own["properties"]).map(([name, field]) => [
    name,
    { ...(base["properties"] as Record<string, Json>)[name], ...field },
  ]);
  return {
    ...base,
    ...own,
    ...(base["properties"] !== undefined && { properties: { ...base["properties"], ...Object.fromEntries(restricted) } }),
  };
}

type Add = (fact: string) => void;

function descriptionFacts(description: unknown, place: string, add: Add): void {
  const text = String(description ?? "");
  for (const [word, form] of Object.entries(WORDS)) if (form.test(text)) add(`${place} in ${word}`);
  const [, value] = /\bdefaults to (true|false|\d+)\b/i.exec(text) ?? [];
  if (value !== undefined) add(`${place} default ${value}`);
}

function schemaFacts(document: Json, schema: Json, place: string, add: Add): void {
  const { properties, items, required, anyOf, description, ...rest } = resolved(document, schema) as Json & { anyOf?: Json[] };
  descriptionFacts(description, place, add);
  for (const [name, field] of entries(properties)) schemaFacts(document, field, `${place}.${name}`, add);
  if (items) schemaFacts(document, items as Json, `${place}[]`, add);
  for (const name of (required ?? []) as string[]) add(`${place}.${name} required`);
  const isUnion = anyOf?.every((branch) => branch["type"] !== undefined);
  for (const branch of (isUnion && anyOf) || []) schemaFacts(document, branch, place, add);
  for (const [keyword, value] of Object.entries({ ...rest, ...(anyOf && !isUnion && { anyOf }) })) {
    if (NO_FACT.has(keyword)) continue;
    const name = keyword === "const" ? "enum" : keyword;
    for (const one of [value].flat()) add(`${place} ${name} ${typeof one === "object" ? JSON.stringify(one) : one}`);
  }
}

function parameterFacts(document: Json, parameter: Json, add: Add): void {
  const { name, in: location, required, description, style = "form", explode = true, schema } = resolved(document, parameter);
  const place = `${location}.${name}`;
  if (required) add(`${place} required`);
  descriptionFacts(description, place, add);
  const { type } = resolved(document, schema as Json);
  if (type === "array" || type === "object") add(`${place} style ${style}${explode ? ", exploded" : ""}`);
  schemaFacts(document, schema as Json, place, add);
}

function contentFacts(document: Json, { content }: Json, place: string, add: Add): void {
  for (const [type, { schema }] of entries(content)) {
    add(`${place} content ${type}`);
    schemaFacts(document, schema as Json, place, add);
  }
}

/** The schema of an operation's request body. */
export function bodySchema(document: Json, { requestBody }: Json): Json {
  const [[, { schema = {} } = {}] = []] = entries((requestBody as Json | undefined)?.["content"]);
  return resolved(document, schema as Json);
}

/** The request fields that the description of an error response names. */
export function fieldsNamedBy(document: Json, operation: Json, { description }: Json): string[] {
  const fields = entries(bodySchema(document, operation)["properties"]).map(([name]) => name);
  return fields.filter((name) => new RegExp(`\\b${name}\\b`).test(String(description)));
}

function securityFacts(document: Json, operation: Json, add: Add): void {
  const { securitySchemes } = document["components"] as { securitySchemes: Record<string, Json> };
  for (const key of ((operation["security"] ?? []) as Json[]).flatMap(Object.keys)) {
    const { type, scheme, in: location, name, description } = securitySchemes[key] ?? {};
    const place = `security ${[type, scheme, location, name].filter((part) => part !== undefined).join(" ")}`;
    add(place);
    descriptionFacts(description, place, add);
  }
}

function operationFacts(document: Json, operation: Json, add: Add): void {
  securityFacts(document, operation, add);
  for (const parameter of (operation["parameters"] ?? []) as Json[]) parameterFacts(document, parameter, add);
  const body = operation["requestBody"] as Json | undefined;
  if (body?.["required"]) add("body required");
  contentFacts(document, body ?? {}, "body", add);
  for (const [status, response] of entries(operation["responses"]).filter(([key]) => key !== "default")) {
    add(`${status} stated`);
    contentFacts(document, response, status, add);
    if (!status.startsWith("2")) for (const name of fieldsNamedBy(document, operation, response)) add(`${status} names ${name}`);
  }
}

/** The operations of a document, each with its method, path and servers, such as `{base_url}`. */
export function operationsOf(document: Json): { method: string; path: string; servers: string[]; operation: Json }[] {
  return entries(document["paths"]).flatMap(([path, item]) =>
    entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, operation]) => {
        const servers = ((item["servers"] ?? []) as { url: string }[]).map(({ url }) => url);
        return { method: method.toUpperCase(), path, servers, operation };
      }),
  );
}

/** What an OpenAPI document states, as facts such as `updateGroup body.name maxLength 255`. */
export function factsOf(document: Json): Set<string> {
  const facts = new Set<string>();
  for (const { method, path, servers, operation } of operationsOf(document)) {
    const add: Add = (fact) => facts.add(`${operation["operationId"]} ${fact}`);
    add(`is ${method} ${path}`);
    for (const server of servers) add(`server ${server}`);
    operationFacts(document, operation, add);
  }
  return facts;
}
