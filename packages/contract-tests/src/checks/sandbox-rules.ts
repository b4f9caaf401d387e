import { type Operation, operations } from "@fleetwire/core";
import { type NamedFixture, stateOf } from "../fixtures/fixture.ts";
import { pathsIn } from "../json-values.ts";
import { type ProviderSandbox, SPEED_SENSITIVE_GROUP } from "../provider/provider-sandbox.ts";
import { filtersOf, recordsIn, repeatedPage, responseViolations } from "./response-rules.ts";

type Json = Record<string, unknown>;

const requestFieldsOf = ({ request }: NamedFixture): Json => ({ ...request.query, ...(request.body as Json | undefined) });

/** The response to the request with one parameter changed, or removed if `value` is undefined. */
async function responseWith(fixture: NamedFixture, provider: ProviderSandbox, parameter: string, value: unknown): Promise<unknown> {
  const part = fixture.request.query[parameter] === undefined && fixture.request.method !== "GET" ? "body" : "query";
  const { [parameter]: _, ...others } = fixture.request[part] as Json;
  const changed = { ...others, ...(value !== undefined && { [parameter]: part === "query" ? String(value) : value }) };
  return (await provider.send({ ...fixture, request: { ...fixture.request, [part]: changed } })).body;
}

/** A request's only filter must leave something out. */
async function filterProblems(fixture: NamedFixture, provider: ProviderSandbox, body: unknown): Promise<string[]> {
  const [filter, ...others] = filtersOf(fixture.operation, requestFieldsOf(fixture));
  if (filter === undefined || others.length > 0) return [];
  const all = await responseWith(fixture, provider, filter, undefined);
  return JSON.stringify(all) === JSON.stringify(body) ? [`the response is the same without ${filter}`] : [];
}

/** Speeds of speed-sensitive vehicles are hidden on request (interface 4.3). */
function speedProblems({ operation, given, request }: NamedFixture, body: unknown): string[] {
  const hides = operation === "listLivePositions" && request.query["hideSpeedIfSpeedSensitive"] === "true";
  return hides && stateOf(given) === SPEED_SENSITIVE_GROUP && recordsIn(body, "").every(({ speed }) => speed !== undefined)
    ? ["every record has a speed, but hideSpeedIfSpeedSensitive must hide some"]
    : [];
}

/** A page must have the length that the total implies, and must not repeat the first one. */
async function pageProblems(fixture: NamedFixture, provider: ProviderSandbox, body: unknown): Promise<string[]> {
  const { operation } = fixture;
  const { paging }: Operation = operations[operation];
  if (!paging) return [];
  const given = requestFieldsOf(fixture);
  const [position, size] = paging.kind === "page" ? [paging.index, paging.size] : [paging.skip, paging.limit];
  const stated = pathsIn(body);
  const total = stated.get(`$.${paging.totalItems}`);
  const place = Number(given[position] ?? 0);
  const most = Number(given[size] ?? stated.get("$.pagination.pageSize") ?? Number.POSITIVE_INFINITY);
  const before = paging.kind === "page" && place > 0 ? place * most : place;
  const due = Math.max(0, Math.min(most, Number(total) - before));
  const { length } = recordsIn(body, paging.items);
  const pages = paging.kind === "page" ? { stated: stated.get(`$.${paging.totalPages}`), due: Math.ceil(Number(total) / most) } : undefined;
  return [
    ...(length !== due ? [`${paging.items} has ${length} records, expected ${due} of ${total ?? "an unknown number"}`] : []),
    ...(pages && pages.stated !== pages.due ? [`the response states ${pages.stated} pages in total, expected ${pages.due}`] : []),
    ...(place === 0
      ? []
      : repeatedPage(operation, body, await responseWith(fixture, provider, position, 0)).map(({ path, kind }) => `${path}: ${kind}`)),
  ];
}

/** How a sandbox response violates the rules that its request implies. */
export async function ruleProblems(fixture: NamedFixture, provider: ProviderSandbox, body: unknown): Promise<string[]> {
  return [
    ...responseViolations(fixture.operation, requestFieldsOf(fixture), body).map(({ path, kind }) => `${path}: ${kind}`),
    ...(await filterProblems(fixture, provider, body)),
    ...speedProblems(fixture, body),
    ...(await pageProblems(fixture, provider, body)),
  ];
}
