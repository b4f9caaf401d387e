import type { Change } from "./mutant.ts";
import { type Node, placeOf, type Source, shown, walk } from "./syntax.ts";

const SWAPS: Readonly<Record<string, readonly string[]>> = {
  "===": ["!=="],
  "!==": ["==="],
  "==": ["!="],
  "!=": ["=="],
  "<": ["<=", ">="],
  "<=": ["<", ">"],
  ">": [">=", "<="],
  ">=": [">", "<"],
  "+": ["-"],
  "-": ["+"],
  "*": ["/"],
  "/": ["*"],
  "%": ["*"],
  "&&": ["||"],
  "||": ["&&"],
  "??": ["&&"],
};

/** Methods that return a changed copy of their receiver; the mutant returns the receiver unchanged. */
const HANDING_ON = [
  "filter",
  "map",
  "slice",
  "sort",
  "toSorted",
  "reverse",
  "toReversed",
  "trim",
  "replace",
  "replaceAll",
  "toLowerCase",
  "toUpperCase",
];

// Text for people is not mutated, since no test should depend on it.
const isProse = (text: string) => /\s/.test(text.trim()) || /^[;:,] /.test(text);

/** A node, its replacement, and how to show the replacement if that differs. */
type Replacement = [node: { start: number; end: number }, by: string, shownAs?: string];

type Rule = (node: Node, text: (node: Node) => string, parent: Node | undefined) => Replacement[];

/** TypeScript-only nodes that contain a runtime value; all others are erased. */
const TYPED_VALUES = ["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression", "TSInstantiationExpression"];

const RULES: Readonly<Record<string, Rule>> = {
  BinaryExpression: (node, text) => swapped(node, text),
  LogicalExpression: (node, text) => [...swapped(node, text), [node, text(node["left"])], [node, text(node["right"])]],
  UnaryExpression: (node, text) => (["!", "-"].includes(node["operator"]) ? [[node, text(node["argument"])]] : []),
  UpdateExpression: (node, text) => [[node, text(node["argument"])]],
  ConditionalExpression: ({ test }) => [
    [test, "true"],
    [test, "false"],
  ],
  IfStatement: ({ test }) => [
    [test, "true"],
    [test, "false"],
  ],
  WhileStatement: ({ test }) => [[test, "false"]],
  ForStatement: ({ test }) => (test ? [[test, "false"]] : []),
  ForOfStatement: ({ right }) => [[right, "[]"]],
  ExpressionStatement: (node, text) => (text(node).includes("super(") ? [] : [[node, ";"]]),
  ReturnStatement: ({ argument, start, end }) => {
    if (!argument) return [[{ start, end }, ";"]];
    // In a condition, undefined would be equivalent to false, and the literal `true` is already replaced with false.
    return argument.type === "Literal" && typeof argument["value"] === "boolean" ? [] : [[argument, "undefined"]];
  },
  ThrowStatement: (node) => [[node, ";"]],
  ContinueStatement: (node) => [[node, ";"]],
  BreakStatement: (node) => [[node, ";"]],
  ArrowFunctionExpression: ({ body }) => (body.type === "BlockStatement" ? [] : [[body, "undefined"]]),
  SpreadElement: (node, _, parent) =>
    parent?.type === "CallExpression" ? [] : [[node, parent?.type === "ArrayExpression" ? "...[]" : "...{}"]],
  CallExpression: (node, text) => {
    const { callee } = node;
    return callee.type === "MemberExpression" && HANDING_ON.includes(callee.property.name) ? [[node, text(callee.object)]] : [];
  },
  TemplateLiteral: (node, text) => (isProse((node["quasis"] as Node[]).map((part) => text(part)).join("")) ? [] : [[node, '""']]),
  Literal: (node, text, parent) => literal(node, text(node), parent),
  Property: (node, _, parent) => (parent?.type === "ObjectExpression" ? [[node, "...{}"]] : []),
};

function swapped(node: Node, text: (node: Node) => string): Replacement[] {
  const { left, right, operator } = node;
  // Operators such as `in` and `instanceof` are covered by the mutants of the enclosing condition.
  return (SWAPS[operator] ?? []).map(
    (other): Replacement => [
      node,
      // Parenthesized, since `??` cannot be mixed with `&&` or `||` otherwise.
      `((${text(left)}) ${other} (${text(right)}))`,
      `(${text(left)} ${other} ${text(right)})`,
    ],
  );
}

function literal(node: Node, written: string, parent: Node | undefined): Replacement[] {
  if (parent?.type === "Property" && parent["key"] === node) return [];
  if (parent?.type.startsWith("Import") || parent?.type.startsWith("Export")) return [];
  const { value, regex } = node;
  if (regex) return [[node, "/(?!)/"]];
  if (typeof value === "boolean") return [[node, String(!value)]];
  if (typeof value === "number") return [[node, `(${written} + 1)`]];
  if (typeof value !== "string" || isProse(value)) return [];
  return [[node, value === "" ? '"altered"' : '""']];
}

/**
 * Removes every statement, forces every condition both ways, and replaces every operator, literal and member, except in types, imports and text
 * for people.
 */
export function stepMutants({ text, program }: Source, isPart: (above: readonly Node[], node: Node) => boolean = () => true): Change[] {
  const changes: Change[] = [];
  const textOf = ({ start, end }: Node) => text.slice(start, end);
  walk(program, (node, above) => {
    if (node.type === "ImportDeclaration" || (node.type.startsWith("TS") && !TYPED_VALUES.includes(node.type))) return false;
    if (!isPart(above, node)) return undefined;
    for (const [{ start, end }, by, shownAs] of RULES[node.type]?.(node, textOf, above.at(-1)) ?? []) {
      if (text.slice(start, end) === by) continue;
      changes.push({
        kind: "step",
        where: placeOf(above),
        what: `${shown(text.slice(start, end))} → ${shown(shownAs ?? by)}`,
        start,
        end,
        replacement: by,
      });
    }
    return undefined;
  });
  return changes;
}
