import { metadataOf, type NonSensitiveKind, type Operation, requestFields, type Sensitivity } from "@fleetwire/core";
import { singleLine } from "../text/clip-values.ts";

const MAX_LENGTH = 64;

const SHOWN: ReadonlySet<unknown> = new Set<Exclude<NonSensitiveKind, object> | "id">([
  "id",
  "flag",
  "instant",
  "duration",
  "country",
  "language",
  "make",
  "faultCode",
  "fileType",
  "field",
  "label",
]);

const isShown = (holds: Sensitivity | undefined) => typeof holds === "object" || SHOWN.has(holds);

const brief = (value: unknown): unknown => (typeof value === "string" ? singleLine(value, MAX_LENGTH) : value);

/** What a write sends, for audits: names, places and free text are withheld, since they may identify someone. */
export function auditedFields(operation: Operation, input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = requestFields(operation);
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => {
      const schema = known[name]?.schema;
      if (schema === undefined || !isShown(metadataOf(schema)?.holds)) return [name, "(withheld)"];
      return [name, Array.isArray(value) ? value.map(brief) : brief(value)];
    }),
  );
}
