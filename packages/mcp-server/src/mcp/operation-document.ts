import { jsonSchemaOf, type Operation, requestFields } from "@fleetwire/core";

type Json = Record<string, unknown>;

const EFFECTS = {
  read: "Read-only.",
  update: "Changes data; repeating it has no further effect.",
  create: "Creates a record; repeating it creates another.",
};

function kindOf({ type, enum: choices, items }: Json): string {
  if (Array.isArray(choices)) return choices.map(String).join(", ");
  if (type === "array") return `list of ${kindOf((items ?? {}) as Json)}`;
  return Array.isArray(type) ? type.join(" or ") : String(type ?? "any");
}

function fieldRows(operation: Operation): string[] {
  return Object.entries(requestFields(operation)).map(([name, { in: where, schema }]) => {
    const json = jsonSchemaOf(schema, { side: "input" }) as Json;
    const required = schema.safeParse(undefined).success ? "" : "yes";
    const cells = [name, where, kindOf(json), required, String(json["description"] ?? "")];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
}

/** The documentation of an operation in Markdown, generated from the contract. */
export function operationDocument(operation: Operation): string {
  const { name, summary, source, method, path, servers, auth, effect, errors = {}, undocumented, tool } = operation;
  const rows = fieldRows(operation);
  const conditions = Object.entries(errors).map(([status, { when, advice }]) => `- ${status}: ${when.join(". ")}. ${advice}.`);
  return [
    `# ${name}`,
    `${summary} (${source}).`,
    ...(tool ? [tool.description] : []),
    `\`${method} ${path}\` on server ${servers.join(", else ")}; authentication: ${auth.join(" or ")}. ${EFFECTS[effect]}`,
    ...(undocumented ? ["Only the path is documented: parameters and response are passed through unchanged."] : []),
    ...(rows.length > 0 ? [["| field | in | type | required | |", "| --- | --- | --- | --- | --- |", ...rows].join("\n")] : []),
    ...(conditions.length > 0 ? [["Documented errors:", ...conditions].join("\n")] : []),
  ].join("\n\n");
}
