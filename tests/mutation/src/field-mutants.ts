import type { Change } from "./mutant.ts";
import { keyOf, type Node, placeOf, type Source, shown, spanInList, walk } from "./syntax.ts";

const isCallOf = (node: Node, methods: readonly string[]): boolean =>
  node.type === "CallExpression" && node["callee"].type === "MemberExpression" && methods.includes(node["callee"].property.name);

/** Properties of an object literal that declares fields: those of a schema, or of an operation's query or body. */
function holdsFields(node: Node, above: readonly Node[]): boolean {
  const parent = above.at(-1);
  if (node.type !== "ObjectExpression" || !parent) return false;
  if (isCallOf(parent, ["object", "strictObject", "looseObject", "extend"])) return true;
  return parent.type === "Property" && ["query", "body"].includes(keyOf(parent) ?? "") && above.some(isOperation);
}

const isOperation = ({ type, callee }: Node): boolean => type === "CallExpression" && callee.name === "defineOperation";

/** The part of a field's schema that states its type, without wrappers. */
function coreOf(schema: Node): Node {
  if (isCallOf(schema, ["optional", "nullable", "describe", "meta"])) return coreOf(schema["callee"].object);
  if (schema.type === "CallExpression" && schema["callee"].name === "described") return coreOf(schema["arguments"][0]);
  return schema;
}

function fieldChanges({ text }: Source, property: Node, siblings: Node[], above: readonly Node[]): Change[] {
  const name = keyOf(property);
  if (property.type !== "Property" || name === undefined) return [];
  const where = placeOf([...above, property]);
  const textOf = ({ start, end }: Node) => text.slice(start, end);
  const schema: Node = property["value"];
  const core = coreOf(schema);
  const otherType = (node: Node) => (textOf(node).replace(/\s/g, "").startsWith("z.boolean") ? "z.string()" : "z.boolean()");
  const [item]: Node[] = isCallOf(core, ["array"]) ? core["arguments"] : [];
  const change = (what: string, { start, end }: { start: number; end: number }, replacement: string): Change => ({
    kind: "field",
    where,
    what,
    start,
    end,
    replacement,
  });
  return [
    change("drop", spanInList(property, siblings), ""),
    change("rename", property["key"], `${JSON.stringify(`${name}Renamed`)}${property["shorthand"] ? `: ${name}` : ""}`),
    change(`type to ${otherType(core)}`, core, otherType(core)),
    ...(item ? [change(`items to ${otherType(item)}`, item, otherType(item))] : []),
    ...(textOf(schema).includes(".optional()") ? [] : [change("loosen to optional", { start: core.end, end: core.end }, ".optional()")]),
  ];
}

const RULES = ["optional", "nullable", "min", "max", "regex", "int", "email", "startsWith"];

/** Removes each rule of a schema, and moves each bound by one in both directions. */
function ruleChanges({ text }: Source, node: Node, above: readonly Node[]): Change[] {
  if (!isCallOf(node, RULES) || node["callee"].object.name === "z") return [];
  const { callee } = node;
  const method: string = callee.property.name;
  const link = { start: callee.object.end, end: node.end };
  const where = placeOf(above);
  const away: Change = { kind: "field", where, what: `without ${shown(text.slice(link.start, link.end))}`, ...link, replacement: "" };
  const [bound]: Node[] = node["arguments"];
  if (!bound || !["min", "max"].includes(method)) return [away];
  const written = text.slice(bound.start, bound.end);
  const moved = [1, -1].map((by): Change => {
    const replacement = `${written} + ${by}`;
    return { kind: "field", where, what: `${method}(${replacement})`, start: bound.start, end: bound.end, replacement };
  });
  return [away, ...moved];
}

/** Removes each metadata property except the description, such as a format, `readOnly` or `deprecated`. */
function metaChanges(node: Node, above: readonly Node[]): Change[] {
  const parent = above.at(-1);
  if (node.type !== "ObjectExpression" || !parent || !isCallOf(parent, ["meta"])) return [];
  const siblings: Node[] = node["properties"];
  return siblings
    .filter((property) => !["description", "id"].includes(keyOf(property) ?? ""))
    .map((property) => ({
      kind: "field",
      where: placeOf(above),
      what: `meta without ${keyOf(property)}`,
      ...spanInList(property, siblings),
      replacement: "",
    }));
}

const isText = (node: Node | null): node is Node => node?.type === "Literal" && typeof node["value"] === "string";

/** Removes and renames each enum value, and adds one. */
function enumChanges(node: Node, above: readonly Node[]): Change[] {
  const elements: Node[] = node["elements"];
  const where = placeOf(above);
  const one = elements.flatMap((element): Change[] => [
    { kind: "enum", where, what: `drop ${element["value"]}`, ...spanInList(element, elements), replacement: "" },
    {
      kind: "enum",
      where,
      what: `rename ${element["value"]}`,
      start: element.start,
      end: element.end,
      replacement: JSON.stringify(`${element["value"]}Renamed`),
    },
  ]);
  const end = elements.at(-1)?.end ?? node.end;
  // An enum needs at least one value.
  const kept = elements.length > 1 ? one : one.filter(({ what }) => what.startsWith("rename"));
  return [...kept, { kind: "enum", where, what: "one value more", start: end, end, replacement: ', "added"' }];
}

/** The mutants of every schema field and enum value in a file. */
export function fieldMutants(source: Source): Change[] {
  const changes: Change[] = [];
  const isSchemaFile = source.file.includes("/schemas/");
  walk(source.program, (node, above) => {
    if (node.type.startsWith("TSType") || node.type.startsWith("TSInterface")) return false;
    const inFields = isSchemaFile || above.some((outer, at) => holdsFields(outer, above.slice(0, at)));
    if (holdsFields(node, above)) {
      const properties: Node[] = node["properties"];
      changes.push(...properties.flatMap((property) => fieldChanges(source, property, properties, above)));
    }
    if (!inFields) return undefined;
    changes.push(...ruleChanges(source, node, above), ...metaChanges(node, above));
    if (node.type === "ArrayExpression" && node["elements"].length > 0 && node["elements"].every(isText))
      changes.push(...enumChanges(node, above));
    return undefined;
  });
  return changes;
}
