import { type Mutant, mutated } from "./mutant.ts";
import { type Node, parse, type Source, walk } from "./syntax.ts";

/** The syntactic form of a choice between the original and its mutants at a place in the tree. */
type Form = "expression" | "statement" | "property";

interface Switch {
  form: Form;
  start: number;
  end: number;
  /** Numbers of the mutants that can be chosen here. */
  numbers: number[];
}

const STATEMENTS = ["ExpressionStatement", "ReturnStatement", "ThrowStatement", "ContinueStatement", "BreakStatement"];

const NOT_EXPRESSIONS = ["SpreadElement", "TemplateElement", "Super", "PrivateIdentifier", "ImportExpression"];

const isExpression = ({ type }: Node) =>
  (/(Expression|Literal)$/.test(type) || type === "Identifier") && !type.startsWith("TSType") && !NOT_EXPRESSIONS.includes(type);

/** Properties of a parent node that hold an expression, so that a conditional expression can replace it. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  Property: ["value"],
  PropertyDefinition: ["value"],
  VariableDeclarator: ["init"],
  AssignmentExpression: ["right"],
  AssignmentPattern: ["right"],
  ArrowFunctionExpression: ["body"],
  MemberExpression: ["object", "property"],
  CallExpression: ["arguments"],
  NewExpression: ["arguments"],
  ArrayExpression: ["elements"],
  TemplateLiteral: ["expressions"],
  ForOfStatement: ["right"],
  ForInStatement: ["right"],
  SpreadElement: ["argument"],
};

const FREE_PARENTS = [
  ...["BinaryExpression", "LogicalExpression", "ConditionalExpression", "ParenthesizedExpression", "SequenceExpression"],
  ...["AwaitExpression", "YieldExpression", "TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression"],
  ...["IfStatement", "WhileStatement", "DoWhileStatement", "ForStatement", "ReturnStatement", "ThrowStatement", "SwitchStatement"],
  ...["SwitchCase", "ExportDefaultDeclaration", "ChainExpression"],
];

const isIn = (parent: Node, member: string, node: Node): boolean => {
  const value = parent[member] as Node | Node[] | null;
  return Array.isArray(value) ? value.includes(node) : value === node;
};

function isValue(node: Node, parent: Node | undefined, grandparent: Node | undefined): boolean {
  if (!parent || !isExpression(node)) return false;
  if (parent.type === "ChainExpression") return false;
  if (parent.type === "UnaryExpression") return parent["operator"] !== "delete";
  if (parent.type === "MemberExpression" && parent["property"] === node) return parent["computed"] === true;
  if (parent.type === "Property" && grandparent?.type !== "ObjectExpression") return false;
  if (parent.type === "Property") return parent["value"] === node && parent["kind"] === "init" && !parent["method"] && !parent["shorthand"];
  return FREE_PARENTS.includes(parent.type) || (VALUES[parent.type] ?? []).some((member) => isIn(parent, member, node));
}

/** Whether a node is part of an optional chain such as `a?.b.c()`: a choice inside would break its short-circuiting. */
function isInChain(node: Node, above: readonly Node[]): boolean {
  let inner = node;
  for (const outer of above.toReversed()) {
    if (outer.type === "ChainExpression") return true;
    if (
      !(
        (outer.type === "MemberExpression" && outer["object"] === inner) ||
        outer["callee"] === inner ||
        outer.type === "TSNonNullExpression"
      )
    )
      return false;
    inner = outer;
  }
  return false;
}

function formOf(node: Node, above: readonly Node[]): Form | undefined {
  const [grandparent, parent] = [above.at(-2), above.at(-1)];
  if (STATEMENTS.includes(node.type)) return node["directive"] ? undefined : "statement";
  if (node.type === "Property") return parent?.type === "ObjectExpression" && node["kind"] === "init" ? "property" : undefined;
  if (node.type === "ChainExpression")
    return isValue({ ...node, type: "CallExpression" }, parent, grandparent) || isFree(node, parent) ? "expression" : undefined;
  return isValue(node, parent, grandparent) && !isInChain(node, above) ? "expression" : undefined;
}

const isFree = (node: Node, parent: Node | undefined) =>
  parent !== undefined && (FREE_PARENTS.includes(parent.type) || (VALUES[parent.type] ?? []).some((member) => isIn(parent, member, node)));

/** The nearest enclosing place of each mutant that allows a choice, outer places before inner ones. */
export function switchesOf({ program }: Source, mutants: readonly Mutant[]): Switch[] {
  const nearest = mutants.map((): { node: Node; form: Form } | undefined => undefined);
  walk(program, (node, above) => {
    if (node.type.startsWith("TSType") || node.type.startsWith("TSInterface")) return false;
    const form = formOf(node, above);
    if (form === undefined) return undefined;
    for (const [number, { start, end }] of mutants.entries()) {
      if (node.start > start || end > node.end) continue;
      // If a whole statement is removed, an expression cannot replace it.
      if (form === "expression" && mutants[number]?.replacement.endsWith(";")) continue;
      nearest[number] = { node, form };
    }
    return undefined;
  });
  const byPlace = new Map<string, Switch>();
  for (const [number, found] of nearest.entries()) {
    if (!found) continue;
    const { node, form } = found;
    const place = `${form} ${node.start} ${node.end}`;
    const entry = byPlace.get(place) ?? { form, start: node.start, end: node.end, numbers: [] };
    entry.numbers.push(number);
    byPlace.set(place, entry);
  }
  return [...byPlace.values()].sort((a, b) => a.start - b.start || b.end - a.end || (a.form === "expression" ? 1 : -1));
}

/** The file with a choice at each place: the original, or the active mutant. */
export function withSwitches(source: Source, mutants: readonly Mutant[], global: string): string {
  const { file, text } = source;
  const switches = switchesOf(source, mutants);

  const edited = ({ start, end }: Switch, number: number): string => {
    const mutant = mutants[number] as Mutant;
    return mutated(text.slice(start, end), { ...mutant, start: mutant.start - start, end: mutant.end - start });
  };

  function rendered(start: number, end: number, inside: readonly Switch[]): string {
    let at = start;
    let written = "";
    for (let index = 0; index < inside.length; ) {
      const next = inside[index] as Switch;
      let after = index + 1;
      while (after < inside.length && (inside[after] as Switch).start < next.end) after++;
      written += text.slice(at, next.start) + choice(next, rendered(next.start, next.end, inside.slice(index + 1, after)));
      at = next.end;
      index = after;
    }
    return written + text.slice(at, end);
  }

  function choice(place: Switch, original: string): string {
    const alternatives = place.numbers.map((number) => [`$is(${number})`, edited(place, number)] as const);
    if (place.form === "statement") return `{${alternatives.map(([on, by]) => `if (${on}) {${by}} else`).join(" ")} {${original}}}`;
    const [open, close, spread] = place.form === "property" ? ["{", "}", "..."] : ["(", ")", ""];
    return `${spread}(${alternatives.map(([on, by]) => `${on} ? ${open}${by}${close} : `).join("")}${open}${original}${close})`;
  }

  const hashbang = /^#!.*\n/.exec(text)?.[0] ?? "";
  const body = rendered(hashbang.length, text.length, switches);
  return `${hashbang}const $is = globalThis[${JSON.stringify(global)}].of(${JSON.stringify(file)}, ${mutants.length}); ${body}`;
}

/** The mutants that parse: a single one that does not would make the whole file invalid. */
export function programsAmong(source: Source, mutants: readonly Mutant[]): Mutant[] {
  const fits = (some: readonly Mutant[]) => {
    try {
      parse(source.file, withSwitches(source, some, "x"));
      return true;
    } catch {
      return false;
    }
  };
  if (fits(mutants)) return [...mutants];
  if (mutants.length <= 1) return [];
  const half = mutants.length >> 1;
  return [...programsAmong(source, mutants.slice(0, half)), ...programsAmong(source, mutants.slice(half))];
}
