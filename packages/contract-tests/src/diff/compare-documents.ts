import { type Change, canonical, type Face, type Impact, isSame, pairs } from "./change.ts";
import { type Direction, type Schema, SchemaComparison } from "./compare-schemas.ts";

/** The parts of an OpenAPI document that are compared. */
export interface OpenApiDocument {
  openapi: string;
  info?: Record<string, unknown>;
  servers?: unknown;
  security?: unknown;
  paths?: Record<string, Record<string, unknown>>;
  components?: Record<string, unknown>;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  deprecated?: boolean;
  description?: string;
  schema?: Schema;
  [member: string]: unknown;
}

interface Body {
  required?: boolean;
  description?: string;
  content?: Record<string, { schema?: Schema; [member: string]: unknown }>;
}

interface Operation {
  operationId?: string;
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: Body;
  responses?: Record<string, Body & { headers?: Record<string, unknown> }>;
  security?: unknown[];
  servers?: unknown;
  [member: string]: unknown;
}

/** An operation of a document, and where it is. */
interface Placed {
  address: string;
  name: string;
  operation: Operation;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** The parameters that a path gives to all of its operations come first. */
function withShared(item: Record<string, unknown>, operation: Operation): Operation {
  const shared = Array.isArray(item["parameters"]) ? (item["parameters"] as Parameter[]) : [];
  const own = operation.parameters ?? [];
  const inherited = shared.filter(({ name, in: place }) => !own.some((other) => other.name === name && other.in === place));
  return { ...(item["servers"] !== undefined && { servers: item["servers"] }), ...operation, parameters: [...inherited, ...own] };
}

function operationsOf(document: OpenApiDocument): Placed[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) => {
      const operation = withShared(item, item[method] as Operation);
      const address = `${method.toUpperCase()} ${path}`;
      return { address, name: operation.operationId ?? address, operation };
    }),
  );
}

/** A path without the names of its parameters. */
const unnamed = (address: string) => address.replace(/\{[^{}]*\}/g, "{}");

const isSuccess = (status: string) => status.startsWith("2");

/** Compares two OpenAPI documents: what goes over the wire, and the names that the client takes from it. */
export function compareDocuments(before: OpenApiDocument, after: OpenApiDocument): Change[] {
  const comparison = new SchemaComparison(["wire", "client"], before, after);
  const { changes } = comparison;
  const add = (impact: Impact, rule: string, at: string, text: string, faces: Face[] = ["wire", "client"]) =>
    changes.push({ impact, faces, rule, at, text });

  const [old, now] = [operationsOf(before), operationsOf(after)];
  const findIn = (list: readonly Placed[], { address, operation: { operationId } }: Placed) =>
    list.find((other) => unnamed(other.address) === unnamed(address)) ??
    list.find((other) => operationId !== undefined && other.operation.operationId === operationId);
  for (const placed of now)
    if (!findIn(old, placed)) add("additive", "operation-added", placed.name, `\`${placed.name}\` (${placed.address}) is new.`);
  for (const placed of old) {
    const match = findIn(now, placed);
    if (match) compareOperations(placed, match);
    else add("breaking", "operation-removed", placed.name, `\`${placed.name}\` (${placed.address}) is gone.`);
  }

  function compareOperations(
    { address, name, operation: from }: Placed,
    { address: newAddress, name: newName, operation: to }: Placed,
  ): void {
    if (from.operationId !== to.operationId)
      add("breaking", "operation-renamed", newName, `\`${name}\` is now called \`${newName}\`.`, ["client"]);
    if (unnamed(address) !== unnamed(newAddress))
      add("breaking", "address-changed", newName, `\`${newName}\` is now ${newAddress}; it was ${address}.`, ["wire"]);
    if (to.deprecated === true && from.deprecated !== true)
      add("additive", "operation-deprecated", newName, `\`${newName}\` is deprecated.`);
    compareParameters(newName, from.parameters ?? [], to.parameters ?? []);
    compareBodies(newName, "request", from.requestBody, to.requestBody);
    compareResponses(newName, from.responses ?? {}, to.responses ?? {});
    compareSecurity(newName, from.security ?? before.security, to.security ?? after.security);
    if (!isSame(from.servers ?? before.servers, to.servers ?? after.servers))
      add("breaking", "servers-changed", newName, `\`${newName}\` has other servers.`, ["wire"]);
    compareWords(newName, from, to, ["summary", "description", "tags", "externalDocs"]);
  }

  function compareWords(at: string, from: object, to: object, members: readonly string[]): void {
    const wordsOf = (value: object) => members.map((name) => (value as Record<string, unknown>)[name]);
    if (!isSame(wordsOf(from), wordsOf(to))) add("cosmetic", "words-changed", at, `\`${at}\` is described in other words.`);
  }

  function compareParameters(operation: string, from: readonly Parameter[], to: readonly Parameter[]): void {
    const keyed = (list: readonly Parameter[]) =>
      Object.fromEntries(list.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter]));
    for (const { before: old, after: now } of pairs(keyed(from), keyed(to))) {
      const { name = "", in: place = "" } = now ?? old ?? {};
      const at = `${operation}.${name}`;
      // The name of a part of the path is no part of what is sent.
      if (place === "path" && !(old && now))
        add("breaking", "path-parameter-changed", at, `\`${operation}\` has other parts of its path: \`${name}\`.`, ["client"]);
      else if (!now) add("breaking", "parameter-removed", at, `\`${operation}\` no longer takes \`${name}\` (${place}).`);
      else if (!old) {
        const text = `\`${operation}\` ${now.required ? "must be given" : "takes"} \`${name}\` (${place}).`;
        add(now.required ? "breaking" : "additive", "parameter-added", at, text);
      } else {
        if (!old.required !== !now.required)
          add(
            now.required ? "breaking" : "additive",
            now.required ? "now-required" : "now-optional",
            at,
            `\`${at}\` ${now.required ? "must now" : "need no longer"} be given.`,
          );
        comparison.compare(old.schema, now.schema, "request", at);
        const form = ({ style, explode, allowReserved, content }: Parameter) => [style, explode, allowReserved, content];
        if (!isSame(form(old), form(now))) add("breaking", "form-changed", at, `\`${at}\` is written in another form.`, ["wire"]);
        compareWords(at, old, now, ["description", "example", "examples"]);
        if (now.deprecated === true && old.deprecated !== true) add("additive", "parameter-deprecated", at, `\`${at}\` is deprecated.`);
      }
    }
  }

  function compareBodies(at: string, direction: Direction, from: Body | undefined, to: Body | undefined): void {
    if (direction === "request" && !from !== !to) {
      const impact = !to || to.required ? "breaking" : "additive";
      add(
        impact,
        to ? "body-added" : "body-removed",
        at,
        `\`${at}\` ${to ? (to.required ? "needs" : "takes") : "no longer takes"} a body.`,
      );
      return;
    }
    if (direction === "request" && !from?.required !== !to?.required)
      add(
        to?.required ? "breaking" : "additive",
        "body-required-changed",
        at,
        `\`${at}\` ${to?.required ? "needs" : "no longer needs"} a body.`,
      );
    const what = direction === "request" ? "takes" : "responds with";
    const [old, now] = [from?.content ?? {}, to?.content ?? {}];
    for (const { name, before: oldMedia, after: newMedia } of pairs(old, now)) {
      if (!newMedia) add("breaking", "media-type-removed", at, `\`${at}\` no longer ${what} ${name}.`, ["wire"]);
      else if (!oldMedia) add("additive", "media-type-added", at, `\`${at}\` also ${what} ${name}.`, ["wire"]);
      else {
        comparison.compare(oldMedia.schema, newMedia.schema, direction, at);
        compareWords(at, oldMedia, newMedia, ["example", "examples"]);
      }
    }
  }

  function compareResponses(operation: string, from: NonNullable<Operation["responses"]>, to: NonNullable<Operation["responses"]>): void {
    for (const { name: status, before: old, after: now } of pairs(from, to)) {
      const at = `${operation} ${status}`;
      if (!now) {
        const impact = isSuccess(status) ? "breaking" : "additive";
        add(impact, "status-removed", at, `\`${operation}\` no longer responds with ${status}.`);
      } else if (!old) add("additive", "status-added", at, `\`${operation}\` may respond with ${status}.`);
      else {
        compareBodies(at, "response", old, now);
        compareWords(at, old, now, ["description"]);
        for (const { name, before: oldHeader, after: newHeader } of pairs(old.headers, now.headers)) {
          if (!newHeader) add("breaking", "header-removed", at, `\`${at}\` no longer has the header ${name}.`, ["wire"]);
          else if (!oldHeader) add("additive", "header-added", at, `\`${at}\` has the header ${name}.`, ["wire"]);
        }
      }
    }
  }

  /** Each requirement is an alternative, so that one more breaks nobody. */
  function compareSecurity(operation: string, from: unknown, to: unknown): void {
    const list = (value: unknown) => (Array.isArray(value) ? value : []);
    const lacks = (values: unknown[], one: unknown) => !values.some((other) => isSame(one, other));
    const named = (one: unknown) => (isSame(one, {}) ? "no credentials" : Object.keys(one as object).join(" and ") || canonical(one));
    const [removed, added] = [list(from).filter((one) => lacks(list(to), one)), list(to).filter((one) => lacks(list(from), one))];
    if (list(from).length === 0 && added.length > 0)
      return void add("breaking", "security-set", operation, `\`${operation}\` needs ${added.map(named).join(" or ")}.`);
    if (list(to).length === 0 && removed.length > 0)
      return void add("additive", "security-unset", operation, `\`${operation}\` needs no credentials.`);
    for (const one of removed) add("breaking", "security-removed", operation, `\`${operation}\` no longer accepts ${named(one)}.`);
    for (const one of added) add("additive", "security-added", operation, `\`${operation}\` accepts ${named(one)}.`);
  }

  const schemes = (document: OpenApiDocument) => (document.components?.["securitySchemes"] ?? {}) as Record<string, object>;
  for (const { name, before: old, after: now } of pairs(schemes(before), schemes(after))) {
    if (!old || !now) continue;
    const form = (scheme: object) => ({ ...scheme, description: undefined });
    if (!isSame(form(old), form(now)))
      add("breaking", "security-scheme-changed", name, `The credentials \`${name}\` are sent in another way.`, ["wire"]);
    compareWords(name, old, now, ["description"]);
  }
  compareWords("document", { info: before.info }, { info: after.info }, ["info"]);
  return changes;
}
