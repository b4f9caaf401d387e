import type { Operation } from "@fleetwire/core";
import { refuse } from "./refusal.ts";

/** Reads the placeholders of an operation's path by their names, as the types of its input; `{customerId}` is none of them. */
export type PathParameters<Input> = <Name extends keyof Input & string>(name: Name) => NonNullable<Input[Name]>;

/** What a segment may stand for: it is a text, whatever its type in the contract is. */
function readings(text: string): unknown[] {
  if (text === "true" || text === "false") return [text, text === "true"];
  return /^-?\d{1,15}(?:\.\d+)?$/.test(text) ? [text, Number(text)] : [text];
}

/** The values of a path's placeholders; one that the operation's schema does not take is refused by name. */
export function pathParameters({ name: operation, params = {} }: Operation, segments: Readonly<Record<string, string>>) {
  const values = new Map<string, unknown>();
  for (const [name, schema] of Object.entries(params)) {
    const parsed = readings(segments[name] ?? "")
      .map((value) => schema.safeParse(value))
      .find(({ success }) => success);
    if (!parsed) throw refuse(400, "invalid", `${name} is not of the form that the interface describes`, name);
    values.set(name, parsed.data);
  }
  return (name: string): unknown => {
    if (!values.has(name)) throw new TypeError(`${operation} has no ${name} in its path`);
    return values.get(name);
  };
}
