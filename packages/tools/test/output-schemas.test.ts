import { expect, it } from "vitest";
import { tools } from "../src/tools/index.ts";

/** The paths of the properties without a type, at any depth. */
function untyped(schema: unknown, path: string): string[] {
  const { type, properties = {}, items } = schema as { type?: string; properties?: object; items?: object };
  return [
    ...(type === undefined ? [path] : []),
    ...Object.entries(properties).flatMap(([name, inner]) => untyped(inner, `${path}.${name}`)),
    ...(items && Object.keys(items).length > 0 ? untyped(items, `${path}[]`) : []),
  ];
}

it.each(tools.map((tool) => [tool.name, tool.outputSchema] as const))("each value that %s declares has a type", (name, schema) => {
  expect(untyped(schema, name)).toEqual([]);
});
