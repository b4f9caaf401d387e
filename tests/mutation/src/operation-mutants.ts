import type { Change } from "./mutant.ts";
import { keyOf, type Node, placeOf, type Source, spanInList, walk } from "./syntax.ts";

/** The possible values of attributes with a fixed set of values. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  method: ["GET", "POST", "PUT"],
  effect: ["read", "update", "create"],
  servers: ["base", "fleet", "apiHost", "job", "tacho", "auth"],
  auth: ["basic", "bearer", "connect-token"],
  contentType: ["application/json", "application/json;charset=UTF-8", "application/x-www-form-urlencoded", "text/plain"],
  body: ["list", "one"],
};

/** Attributes that affect an operation's behavior; the others are documentation. */
const ATTRIBUTES = ["contentType", "query", "body", "rules", "undocumented", "errors", "paging", "idempotencyKey", "refusal"];

type Report = (what: string, span: { start: number; end: number }, replacement: string) => Change;

function listChanges(name: string, list: Node, report: Report): Change[] {
  const elements: Node[] = list["elements"];
  const words: string[] = elements.map(({ value }) => value);
  const others = (OTHERS[name] ?? []).filter((other) => !words.includes(other));
  return [
    ...elements.flatMap((element) =>
      others.map((other) => report(`${name}: ${element["value"]} to ${other}`, element, JSON.stringify(other))),
    ),
    ...(elements.length > 1
      ? elements.map((element) => report(`${name}: without ${element["value"]}`, spanInList(element, elements), ""))
      : []),
    ...(elements.length > 1 ? [report(`${name}: the other way round`, list, JSON.stringify(words.toReversed()))] : []),
    ...others.map((other) =>
      report(`${name}: and ${other}`, { start: elements.at(-1)?.end ?? 0, end: elements.at(-1)?.end ?? 0 }, `, ${JSON.stringify(other)}`),
    ),
  ];
}

/** Alters and removes each segment of a path, and adds one. */
function pathChanges(value: Node, report: Report): Change[] {
  const path: string = value["value"];
  const segments = path.split("/").slice(1);
  const joined = (parts: readonly string[]) => JSON.stringify(`/${parts.join("/")}`);
  return [
    ...segments.flatMap((segment, at) => [
      report(`path: ${segment} altered`, value, joined(segments.with(at, segment.startsWith("{") ? segment.slice(1, -1) : `${segment}x`))),
      report(`path: without ${segment}`, value, joined(segments.toSpliced(at, 1))),
    ]),
    report("path: one segment more", value, joined([...segments, "more"])),
  ];
}

/** Makes each string of `paging` and `idempotencyKey`, which are field names, name another field. */
function namedFieldChanges(name: string, object: Node, report: Report): Change[] {
  const properties: Node[] = object["properties"];
  return properties
    .filter((property) => property["value"].type === "Literal" && keyOf(property) !== "kind")
    .map((property) =>
      report(`${name}.${keyOf(property)} names another field`, property["value"], JSON.stringify(`${property["value"].value}Renamed`)),
    );
}

/** Changes the statuses of the documented errors, and whether each has a list of errors or a single one. */
function errorChanges(object: Node, report: Report): Change[] {
  const entries: Node[] = object["properties"];
  return entries.flatMap((entry) => {
    const status = Number(keyOf(entry));
    const body = (entry["value"].properties as Node[]).find((property) => keyOf(property) === "body")?.["value"];
    const others = (OTHERS["body"] ?? []).filter((other) => other !== body.value);
    return [
      report(`errors: ${status} to ${status + 1}`, entry["key"], String(status + 1)),
      report(`errors: without ${status}`, spanInList(entry, entries), ""),
      ...others.map((other) => report(`errors: ${status} with ${other}`, body, JSON.stringify(other))),
    ];
  });
}

function attributeChanges(property: Node, siblings: Node[], report: Report): Change[] {
  const name = keyOf(property) ?? "";
  const { value } = property as Node & { value: Node };
  const away = ATTRIBUTES.includes(name) ? [report(`without ${name}`, spanInList(property, siblings), "")] : [];
  if (name === "path") return pathChanges(value, report);
  if (name === "servers" || name === "auth") return listChanges(name, value, report);
  if (name === "paging" || name === "idempotencyKey") return [...away, ...namedFieldChanges(name, value, report)];
  if (name === "errors") return [...away, ...errorChanges(value, report)];
  if (value.type === "Literal" && name in OTHERS) {
    const others = (OTHERS[name] ?? []).filter((other) => other !== value["value"]);
    return [...away, ...others.map((other) => report(`${name}: ${value["value"]} to ${other}`, value, JSON.stringify(other)))];
  }
  return away;
}

/** The mutants of every attribute that determines how an operation in a file is called. */
export function operationMutants({ program }: Source): Change[] {
  const changes: Change[] = [];
  walk(program, (node, above) => {
    if (node.type !== "CallExpression" || node["callee"].name !== "defineOperation") return undefined;
    const properties: Node[] = node["arguments"][0].properties;
    const report: Report = (what, { start, end }, replacement) => ({
      kind: "operation",
      where: placeOf(above),
      what,
      start,
      end,
      replacement,
    });
    changes.push(...properties.flatMap((property) => attributeChanges(property, properties, report)));
    return false;
  });
  return changes;
}
