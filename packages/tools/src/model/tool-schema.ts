import { FleetError } from "@fleetwire/core";

/** A JSON Schema limited to keywords that every model provider accepts: no `$ref`, unions or `$schema`. */
export type JsonSchema = Record<string, unknown>;

/** A problem with a value, and its location. */
export interface SchemaIssue {
  message: string;
  path?: readonly PropertyKey[];
}

/** A schema in the format that frameworks support: Standard Schema, including its JSON Schema extension (https://standardschema.dev). */
export interface ToolSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "fleetwire";
    readonly types?: { readonly input: unknown; readonly output: Record<string, unknown> } | undefined;
    /**
     * Validates a value. Arguments are returned as the tool uses them: null is dropped from optional fields, and digits become a number.
     */
    readonly validate: (
      value: unknown,
    ) => { readonly value: Record<string, unknown>; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };
    /** Returns a copy of the JSON Schema. It is the same for every target, because it avoids keywords that differ between drafts. */
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

/** Creates a schema from a JSON Schema and a check that throws if a value is invalid. */
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
