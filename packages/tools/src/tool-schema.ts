import { FleetError } from "@fleetwire/core";

/** A JSON Schema limited to the keywords that every model provider accepts: no `$ref`, no unions, no `$schema`. */
export type JsonSchema = Record<string, unknown>;

/** What is wrong with a value, and where. */
export interface SchemaIssue {
  message: string;
  path?: readonly PropertyKey[];
}

/** A schema in the form that frameworks read: Standard Schema, including its JSON Schema (https://standardschema.dev). */
export interface ToolSchema {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "fleetwire";
    readonly types?: { readonly input: unknown; readonly output: Record<string, unknown> } | undefined;
    /** Validates a value. For arguments, it returns them as the tool uses them: an optional null is dropped, digits become a number. */
    readonly validate: (
      value: unknown,
    ) => { readonly value: Record<string, unknown>; readonly issues?: undefined } | { readonly issues: readonly SchemaIssue[] };
    /** Returns a copy of the JSON Schema, the same for every target: it avoids keywords on which the drafts differ. */
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

/** A schema made of a JSON Schema and a check that throws. */
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
