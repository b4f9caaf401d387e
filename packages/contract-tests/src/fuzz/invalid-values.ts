import { jsonSchemaOf, metadataOf, type Operation, requestFields } from "@fleetwire/core";
import { isOptional } from "@fleetwire/core/internal";

/** A field of a request that is made invalid after the client has checked it. */
export interface InvalidField {
  field: string;
  in: "query" | "body";
  /** What is wrong with it, in words. */
  how: string;
  /** Undefined if the field is left out. */
  value?: unknown;
}

type Schema = ReturnType<typeof jsonSchemaOf>;

/** Values that break what the contract says about a field's values. */
function wrongValues(schema: Schema, isTime: boolean): { how: string; value: unknown }[] {
  const { type, enum: values, minimum, maximum, minLength, maxLength, maxItems } = schema;
  const wrong: { how: string; value: unknown }[] = [];
  const add = (how: string, value: unknown) => void wrong.push({ how, value });
  if (Array.isArray(values)) add("a word that is none of its values", "fuzzed");
  else if (type === "integer") {
    add("text instead of a number", "fuzzed");
    if (typeof minimum === "number") add(`less than ${minimum}`, minimum - 1);
    if (typeof maximum === "number") add(`more than ${maximum}`, maximum + 1);
  } else if (type === "boolean") add("text instead of true or false", "fuzzed");
  else if (type === "string") {
    if (isTime) add("text instead of a time", "fuzzed");
    if (typeof maxLength === "number") add(`more than ${maxLength} characters`, "x".repeat(maxLength + 1));
    if (minLength === 1) add("empty", "");
  } else if (type === "array" && typeof maxItems === "number") {
    add(`more than ${maxItems} entries`, Array(maxItems + 1).fill({}));
  }
  return wrong;
}

/** Whether the contract says how a text is written. */
const isFormatted = (schema: Parameters<typeof jsonSchemaOf>[0]) =>
  ["pattern", "format"].some((keyword) => keyword in jsonSchemaOf(schema));

/** Every way in which a request of an operation is made invalid. */
export function invalidFieldsOf(operation: Operation): InvalidField[] {
  return Object.entries(requestFields(operation)).flatMap(([field, { in: place, schema }]) => {
    if (place === "path") return [];
    const wrong: Omit<InvalidField, "field" | "in">[] = wrongValues(
      jsonSchemaOf(schema),
      metadataOf(schema)?.holds === "instant" && isFormatted(schema),
    );
    if (!isOptional(schema)) wrong.push({ how: "left out" });
    return wrong.map((one) => ({ field, in: place, ...one }));
  });
}

/** A request with the field made invalid. */
export function withInvalid(url: string, init: RequestInit, { in: place, field, value }: InvalidField): [url: string, init: RequestInit] {
  if (place === "query") {
    const changed = new URL(url);
    if (value === undefined) changed.searchParams.delete(field);
    else changed.searchParams.set(field, String(value));
    return [changed.href, init];
  }
  const { [field]: _, ...others } = JSON.parse(String(init.body)) as Record<string, unknown>;
  return [url, { ...init, body: JSON.stringify(value === undefined ? others : { ...others, [field]: value }) }];
}
