import { openApiDocument } from "@fleetwire/core";
import { checkInterface } from "../src/checks/interface-check.ts";
import { loadInterface } from "../src/index.ts";
import type { Json } from "../src/interface/facts.ts";

/** What is no fact of the description, by the place in core's document; text counts only where it states a unit, a default or a field. */
const NO_FACT: readonly [RegExp, string][] = [
  [/\/(description|summary|tags(\/\d+)?)$/, "text"],
  [/^\/(openapi|info|tags|servers)\b/, "about the document itself"],
  [/\/servers\/\d+\/variables\b/, "an address that stands for the reader's own"],
  [/\/responses\/default$/, "says that nothing is described"],
  [/\/(tire\/events|jobs)\/get\/(parameters\/1|responses)\b/, "only the path is described"],
  [/\/parameters\/\d+\/(required|style)$/, "the default of OpenAPI"],
  [/\/accessToken\/post\/parameters$/, "an empty list"],
  [/\/grant_type\/default$|accessToken\/.*\/required(\/0)?$/, "core's own: always sent"],
  [/\/(parentId|parameters\/2\/schema\/items)\/pattern$/, "core's own: no identifier alters a URL"],
  [/\/(minimum|maximum|minItems)$/, "core's own: globe, page and empty filter"],
  [/\/schema\/anyOf\/1\/const$/, "core's own: null is sent as the word"],
];

/** Every place in core's document that can be deleted, but for examples. */
function* placesIn(node: unknown, place: string): Generator<[holder: Json | unknown[], key: string | number, place: string]> {
  if (typeof node !== "object" || node === null) return;
  for (const key of Array.isArray(node) ? [...node.keys()] : Object.keys(node)) {
    const at = `${place}/${key}`;
    if (/\/examples?$/.test(at)) continue;
    yield [node as Json, key, at];
    yield* placesIn((node as Json)[key], at);
  }
}

/** Deletes each place in turn, or every `step`th from `first` on, and returns those that the comparison misses although they are facts. */
export function missedDeletions(step = 1, first = 0): { deleted: number; found: number; missed: string[] } {
  const described = loadInterface();
  const contract = openApiDocument();
  const places = [...placesIn(contract, "")].filter((_, at) => at % step === first);
  const unnoticed = places.filter(([holder, key]) => {
    const value = (holder as Json)[key];
    const inList = Array.isArray(holder);
    if (inList) holder.splice(Number(key), 1);
    else delete holder[key];
    try {
      return checkInterface(described, contract).findings.length === 0;
    } catch {
      return false;
    } finally {
      if (inList) holder.splice(Number(key), 0, value);
      else holder[key] = value;
    }
  });
  const missed = unnoticed.map(([, , place]) => place).filter((place) => !NO_FACT.some(([form]) => form.test(place)));
  return { deleted: places.length, found: places.length - unnoticed.length, missed };
}
