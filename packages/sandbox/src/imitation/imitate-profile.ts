import { type DeploymentProfile, type Operation, type OperationName, operations } from "@fleetwire/core";
import {
  ACTIVITIES_PATH,
  DISTANCE_UNITS,
  DURATION_UNITS,
  type FactOf,
  factsOf,
  inOneLine,
  isRecord,
  type ProfileFact,
} from "@fleetwire/core/internal";
import { MAX_PAGE_SIZE } from "../handlers/list-vehicle-faults.ts";
import { MAX_LIMIT } from "../handlers/query-tacho-activity.ts";
import { jsonResponse } from "../service/refusal.ts";
import { shapedBody } from "./observed-shape.ts";
import { canImitateWords, changeAt, wordFor, wordsInstead } from "./words.ts";

type Change = (body: unknown) => void;

/** How a sandbox resolves what the interface leaves open, as a profile observed it in another deployment. */
export interface Imitation {
  groupLists: "replace" | "add" | undefined;
  /** Returns the query and body of a request with an observed page size. */
  asked: (operation: Operation, url: URL, body: unknown) => { url: URL; body: unknown };
  response: (operation: Operation, response: Response) => Promise<Response>;
  /** What stands for the sandbox's own words, and what is not imitated. */
  notes: readonly string[];
}

const inUnit = (value: number, size: number, digits: number) => Math.round((value / size) * 10 ** digits) / 10 ** digits;

/** Converts a value in the sandbox's unit: seconds or km. */
function converted(value: number, unit: FactOf<"unit">["unit"]): number {
  if (unit in DURATION_UNITS) return inUnit(value, DURATION_UNITS[unit as keyof typeof DURATION_UNITS], unit === "h" ? 2 : 0);
  return inUnit(value, DISTANCE_UNITS[unit as keyof typeof DISTANCE_UNITS], unit === "m" ? 0 : 1);
}

const UNIT_PATHS = ["duration", "distance"].map((field) => `${ACTIVITIES_PATH}.${field}`);

/** How a fact changes responses with status 200; undefined if it does not. */
function changeOf(fact: ProfileFact): Change | undefined {
  if (fact.fact === "unit" && UNIT_PATHS.includes(fact.path))
    return (body) => changeAt(body, fact.path, (value) => converted(Number(value), fact.unit));
  if (fact.fact !== "values" || !canImitateWords(fact)) return undefined;
  const instead = wordsInstead(fact);
  return instead.size === 0 ? undefined : (body) => changeAt(body, fact.path, (value, id) => wordFor(value, id, instead));
}

const effectsOf = (profile: DeploymentProfile) => new Set(factsOf(profile, "listUpdate").map(({ effect }) => effect));

function groupListsOf(profile: DeploymentProfile): Imitation["groupLists"] {
  const effects = effectsOf(profile);
  return effects.size === 0 ? undefined : effects.has("adds") ? "add" : "replace";
}

const LARGEST_PAGES: Readonly<Record<string, number>> = { listVehicleFaults: MAX_PAGE_SIZE, queryTachoActivity: MAX_LIMIT };

/** Says how the facts are imitated, as far as it is not obvious, and which are not. */
function notesOn(profile: DeploymentProfile): string[] {
  const values = factsOf(profile, "values");
  const others = values.filter((fact) => !canImitateWords(fact));
  const large = factsOf(profile, "pageSize").filter(({ operation, size }) => size > (LARGEST_PAGES[operation] ?? 0));
  const unknown = profile.facts.filter(({ operation }) => !Object.hasOwn(operations, operation));
  return [
    ...values.filter(canImitateWords).flatMap((fact) => {
      const replaced = [...wordsInstead(fact)].map(([own, words]) => `${own} becomes ${words.join(" or ")}`);
      return replaced.length === 0 ? [] : [inOneLine(`${fact.path}: ${replaced.join(", ")}`)];
    }),
    ...(effectsOf(profile).size > 1 ? ["not imitated: lists of a group of which one replaces and the other adds; both add"] : []),
    ...(large.length > 0
      ? [`not imitated: pages that are larger than the sandbox's: ${large.map(({ operation }) => operation).join(", ")}`]
      : []),
    ...(others.length > 0 ? [`not imitated: the values of ${others.length} other fields`] : []),
    ...(unknown.length > 0 ? [`not imitated: ${unknown.length} facts about operations that the sandbox does not have`] : []),
  ];
}

/** Creates what makes a sandbox imitate a profile. */
export function imitationOf(profile: DeploymentProfile): Imitation {
  const changes = new Map<string, Change[]>();
  for (const fact of profile.facts) {
    const change = changeOf(fact);
    if (change) changes.set(fact.operation, [...(changes.get(fact.operation) ?? []), change]);
  }
  const sizeOf = (operation: string, which: "default" | "maximum") =>
    factsOf(profile, "pageSize").find((fact) => fact.operation === operation && fact.which === which)?.size;
  const shapeOf = (operation: string, status: number) =>
    factsOf(profile, "shape").find((fact) => fact.operation === operation && fact.status === status);

  return {
    groupLists: groupListsOf(profile),
    notes: notesOn(profile),
    asked: ({ name, paging }, url, body) => {
      const [usual, maximum] = [sizeOf(name, "default"), sizeOf(name, "maximum")];
      if (!paging || (usual === undefined && maximum === undefined)) return { url, body };
      const field = paging.kind === "page" ? paging.size : paging.limit;
      const requested = isRecord(body) ? body[field] : url.searchParams.get(field);
      const size = Math.min(Number(requested ?? usual ?? Number.NaN), maximum ?? Number.POSITIVE_INFINITY);
      // The handler refuses what is no number.
      if (Number.isNaN(size)) return { url, body };
      if (isRecord(body)) return { url, body: { ...body, [field]: size } };
      const changed = new URL(url);
      changed.searchParams.set(field, String(size));
      return { url: changed, body };
    },
    response: async ({ name }, response) => {
      const shape = shapeOf(name, response.status);
      const change = response.status === 200 ? changes.get(name as OperationName) : undefined;
      if (!shape && !change) return response;
      const { status } = response;
      if (shape?.body === "none") return new Response(null, { status });
      if (shape?.body === "text")
        return new Response("This deployment responds with text", { status, headers: { "Content-Type": "text/plain" } });
      const body: unknown = await response.json();
      for (const one of change ?? []) one(body);
      return jsonResponse(shape ? shapedBody(shape, body) : body, status);
    },
  };
}
