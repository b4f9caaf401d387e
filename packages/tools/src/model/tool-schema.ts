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
