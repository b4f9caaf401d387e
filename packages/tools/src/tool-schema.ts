import { FleetError } from "@fleetwire/core";

/** A JSON Schema, without `$ref`, unions and `$schema`: of the few keywords that every model's provider takes. */
export type JsonSchema = Record<string, unknown>;

/** What is wrong with a value, in words, and where. */
export interface SchemaIssue {
  message: string;
  path?: readonly PropertyKey[];
}

/** A schema as frameworks read it: a Standard Schema that also gives its JSON Schema (https://standardschema.dev). */
export interface ToolSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "fleetwire";
    readonly types?: { readonly input: unknown; readonly output: Record<string, unknown> } | undefined;
    /** Checks a value. What it returns of arguments is what the tool works with: null for an optional one is absence, digits become a number. */
    readonly validate: (
      value: unknown,
    ) => { readonly value: Record<string, unknown>; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };
    /** A copy of the JSON Schema, the same for every target: it uses nothing in which the drafts differ. */
    readonly jsonSchema: { readonly input: (options?: unknown) => JsonSchema; readonly output: (options?: unknown) => JsonSchema };
  };
}

function issuesOf(error: unknown): SchemaIssue[] {
  if (!(error instanceof FleetError)) return [{ message: "the value cannot be read" }];
  const issues = error.errors.map(({ errorMessage = "is not allowed", offendingFields = [] }): SchemaIssue => {
    const [field] = offendingFields;
    return field ? { message: `${field}: ${errorMessage}`, path: field.split(".") } : { message: errorMessage };
  });
  return issues.length > 0 ? issues : [{ message: error.message }];
}

/** A schema from a JSON Schema and a check that throws what is wrong. */
export function toolSchema(json: JsonSchema, check: (value: unknown) => Record<string, unknown>): ToolSchema {
  const copy = () => structuredClone(json);
  return {
    "~standard": {
      version: 1,
      vendor: "fleetwire",
      validate: (value) => {
        try {
          return { value: check(value) };
        } catch (error) {
          return { issues: issuesOf(error) };
        }
      },
      jsonSchema: { input: copy, output: copy },
    },
  };
}
