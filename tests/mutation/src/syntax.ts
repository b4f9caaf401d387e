import { parseSync, visitorKeys } from "oxc-parser";

/** A node of the syntax tree, whose properties depend on its type. */
export interface Node {
  type: string;
  start: number;
  end: number;
  // biome-ignore lint/suspicious/noExplicitAny: a handful of rules read the tree's two hundred node types
  [member: string]: any;
}

export interface Source {
  /** Relative to the repository's root. */
  file: string;
  text: string;
  program: Node;
}

/** A source's text without comments and empty lines, which do not affect its mutants. */
export function codeOf(file: string, text: string): string {
  const { comments } = parseSync(file, text);
  const code = comments.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
  return code.replace(/\s*\n\s*/g, "\n");
}

export function parse(file: string, text: string): Source {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return { file, text, program: program as unknown as Node };
}

const childrenOf = (node: Node): Node[] =>
  (visitorKeys[node.type] ?? [])
    .flatMap((key) => node[key] as Node | Node[] | null)
    .filter((child): child is Node => typeof child === "object" && child !== null);

/** Visits a node and its descendants, passing each one's ancestors, nearest last; return `false` to skip the descendants. */
export function walk(node: Node, visit: (node: Node, above: readonly Node[]) => boolean | undefined, above: readonly Node[] = []): void {
  if (visit(node, above) === false) return;
  const path = [...above, node];
  for (const child of childrenOf(node)) walk(child, visit, path);
}

export const keyOf = ({ key, computed }: Node): string | undefined => (computed ? undefined : String(key?.name ?? key?.value));

/** The names of the declarations and fields around a node, such as `createJob.rules`. */
export function placeOf(above: readonly Node[]): string {
  const names = above.flatMap((node) => {
    if (node.type === "VariableDeclarator" || node.type === "FunctionDeclaration" || node.type === "ClassDeclaration")
      return node["id"]?.name ?? [];
    if (node.type === "Property" || node.type === "MethodDefinition" || node.type === "PropertyDefinition") return keyOf(node) ?? [];
    return [];
  });
  return names.join(".") || "file";
}

const LONGEST = 60;

/** Source text for an id, on one line and shortened. */
export function shown(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

/** The span to remove with one of several properties or elements, so that no stray comma remains. */
export function spanInList(node: Node, siblings: readonly (Node | null)[]): { start: number; end: number } {
  const at = siblings.indexOf(node);
  const [before, after] = [siblings[at - 1], siblings[at + 1]];
  if (after) return { start: node.start, end: after.start };
  return { start: before ? before.end : node.start, end: node.end };
}
