import type { Operation } from "@fleetwire/core";
import { refuse } from "./refusal.ts";

/** Returns the value of a path placeholder, typed like the operation's input; `{customerId}` is excluded. */
export type PathParameters<Input> = <Name extends keyof Input & string>(name: Name) => NonNullable<Input[Name]>;

/** The values that a segment may represent: in a URL it is a string, whatever the parameter's type. */
function readings(text: string): unknown[] {
  if (text === "true" || text === "false") return [text, text === "true"];
  return /^-?\d{1,15}(?:\.\d+)?$/.test(text) ? [text, Number(text)] : [text];
}

/** The validated values of a path's placeholders. The error for an invalid value names its placeholder. */
export function pathParameters({ name: operation, params = {} }: Operation, segments: Readonly<Record<string, string>>) {
  const values = new Map<string, unknown>();
  for (const [name, schema] of Object.entries(params)) {
    const parsed = readings(segments[name] ?? "")
      .map((value) => schema.safeParse(value))
      .find(({ success }) => success);
    if (!parsed) throw refuse(400, "invalid", `${name} does not have the documented format`, name);
    values.set(name, parsed.data);
  }
  return (name: string): unknown => {
    if (!values.has(name)) throw new TypeError(`${operation} has no path parameter ${name}`);
    return values.get(name);
  };
}
