import { type Operation, operations } from "@fleetwire/core";
import { type NamedFixture, stateOf } from "../fixtures/fixture.ts";
import type { ProviderSandbox } from "../provider/provider-sandbox.ts";
import { SPEED_SENSITIVE_GROUP } from "../provider/states.ts";
import { placesIn } from "./presence.ts";
import { filtersOf, recordsIn, repeatedPage, responseViolations } from "./response-rules.ts";

type Json = Record<string, unknown>;

const asked = ({ request }: NamedFixture): Json => ({ ...request.query, ...(request.body as Json | undefined) });

/** What a request answers in which a parameter has another value, or, where that is undefined, is not given. */
async function responseWith(fixture: NamedFixture, provider: ProviderSandbox, parameter: string, value: unknown): Promise<unknown> {
  const part = fixture.request.query[parameter] === undefined && fixture.request.method !== "GET" ? "body" : "query";
  const { [parameter]: _, ...others } = fixture.request[part] as Json;
  const changed = { ...others, ...(value !== undefined && { [parameter]: part === "query" ? String(value) : value }) };
  return (await provider.send({ ...fixture, request: { ...fixture.request, [part]: changed } })).body;
}

/** A filter that is asked for by itself leaves something out. */
async function filterProblems(fixture: NamedFixture, provider: ProviderSandbox, body: unknown): Promise<string[]> {
  const [filter, ...others] = filtersOf(fixture.operation, asked(fixture));
  if (filter === undefined || others.length > 0) return [];
  const all = await responseWith(fixture, provider, filter, undefined);
  return JSON.stringify(all) === JSON.stringify(body) ? [`the answer is the same without ${filter}`] : [];
}

/** Speeds that some vehicles hide are left out where that is asked for (interface 4.3). */
function speedProblems({ operation, given, request }: NamedFixture, body: unknown): string[] {
  const hides = operation === "listLivePositions" && request.query["hideSpeedIfSpeedSensitive"] === "true";
  return hides && stateOf(given) === SPEED_SENSITIVE_GROUP && recordsIn(body, "").every(({ speed }) => speed !== undefined)
    ? ["speed is in every record: hideSpeedIfSpeedSensitive leaves it out of some"]
    : [];
}

/** A page is as long as the number of all records makes it, and is no earlier one. */
async function pageProblems(fixture: NamedFixture, provider: ProviderSandbox, body: unknown): Promise<string[]> {
  const { operation } = fixture;
  const { paging }: Operation = operations[operation];
  if (!paging) return [];
  const given = asked(fixture);
  const [position, size] = paging.kind === "page" ? [paging.index, paging.size] : [paging.skip, paging.limit];
  const stated = placesIn(body);
  const total = stated.get(paging.totalItems);
  const [place, most] = [
    Number(given[position] ?? 0),
    Number(given[size] ?? stated.get("pagination.pageSize") ?? Number.POSITIVE_INFINITY),
  ];
  const before = paging.kind === "page" && place > 0 ? place * most : place;
  const due = Math.max(0, Math.min(most, Number(total) - before));
  const { length } = recordsIn(body, paging.items);
  const pages = paging.kind === "page" ? { told: stated.get(paging.totalPages), due: Math.ceil(Number(total) / most) } : undefined;
  return [
    ...(length !== due ? [`${paging.items} has ${length} records: ${due} were expected of ${total ?? "no number"} in all`] : []),
    ...(pages && pages.told !== pages.due ? [`${pages.told} pages in all are told: ${pages.due} were expected`] : []),
    ...(place === 0
      ? []
      : repeatedPage(operation, body, await responseWith(fixture, provider, position, 0)).map(({ path, kind }) => `${path} is ${kind}`)),
  ];
}

/** How an answer of the sandbox breaks the rules that the request lays down for it. */
export async function ruleProblems(fixture: NamedFixture, provider: ProviderSandbox, body: unknown): Promise<string[]> {
  return [
    ...responseViolations(fixture.operation, provider.translated(asked(fixture)), body).map(({ path, kind }) => `${path} is ${kind}`),
    ...(await filterProblems(fixture, provider, body)),
    ...speedProblems(fixture, body),
    ...(await pageProblems(fixture, provider, body)),
  ];
}
