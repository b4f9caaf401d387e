import { type Operation, operations } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import { type NamedFixture, stateOf } from "../fixtures/fixture.ts";
import type { InterfaceDocument } from "../interface/interface-document.ts";
import { describeDifference, formatValue, jsonDifferences, pathsIn, typeOf, valuesAt } from "../json-values.ts";
import { type ProviderSandbox, SPEED_SENSITIVE_GROUP, setUpState } from "../provider/provider-sandbox.ts";
import { type CheckResult, checkEach } from "./check-result.ts";
import { filtersOf, repeatedPage, responseViolations, type Violation } from "./response-rules.ts";

type Json = Record<string, unknown>;

const fieldsNamed = (errors: unknown): string[] => {
  const list = [errors].flat() as { offendingFields?: string[]; field?: string }[];
  return [...new Set(list.flatMap(({ offendingFields = [], field = [] }) => [offendingFields, field].flat()))].sort();
};

/** Job fields that the sandbox sets itself (the sandbox's README). */
const SET_BY_SERVICE = "jobId lat lng eta etaDistanceKms lastEtaCalcTime lastServerTime statusChangeId statusChangeTimestamp".split(" ");

/** Request fields that the recorded response echoes but this one does not. */
function echoProblems(request: unknown, recorded: unknown, found: unknown): string[] {
  if (!isRecord(request) || !isRecord(recorded) || !isRecord(found)) return [];
  return Object.entries(request)
    .filter(([name, value]) => typeof value !== "object" && recorded[name] === value && value !== "" && !SET_BY_SERVICE.includes(name))
    .flatMap(([name, value]) => jsonDifferences(value, found[name], name).map(describeDifference));
}

/** Paths whose values have different types in the two bodies. */
function typeProblems(recorded: unknown, found: unknown): string[] {
  const types = new Map([...pathsIn(recorded)].map(([place, value]) => [place, typeOf(value)]));
  return [...pathsIn(found)].flatMap(([path, value]) => {
    const wanted = types.get(path);
    return wanted === undefined || wanted === typeOf(value) ? [] : [`${path} has type ${typeOf(value)}, recorded: ${wanted}`];
  });
}

const inAnyOrder = (value: unknown): unknown => {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, Array.isArray(inner) ? inner.toSorted() : inner]));
};

/** The response to the request with one parameter changed, or removed if `value` is undefined. */
async function responseWith({ operation, request }: NamedFixture, provider: ProviderSandbox, parameter: string, value?: number) {
  const part = request.query[parameter] === undefined && request.method !== "GET" ? "body" : "query";
  const { [parameter]: _, ...others } = request[part] as Json;
  const changed = { ...others, ...(value !== undefined && { [parameter]: part === "query" ? String(value) : value }) };
  return (await provider.send({ operation, request: { ...request, [part]: changed } })).body;
}

/** A page must have the length that the total implies, and must not repeat the first one. */
async function pageProblems(fixture: NamedFixture, provider: ProviderSandbox, body: unknown, requested: Json): Promise<string[]> {
  const operation: Operation = operations[fixture.operation];
  const { paging } = operation;
  if (!paging) return [];
  const isPage = paging.kind === "page";
  const [position, size] = isPage ? [paging.index, paging.size] : [paging.skip, paging.limit];
  const stated = pathsIn(body);
  const total = stated.get(`$.${paging.totalItems}`);
  const place = Number(requested[position] ?? 0);
  const most = Number(requested[size] ?? stated.get("$.pagination.pageSize") ?? Number.POSITIVE_INFINITY);
  const due = Math.max(0, Math.min(most, Number(total) - (isPage && place > 0 ? place * most : place)));
  const { length } = valuesAt(body, `$.${paging.items}[*]`);
  const [pages, duePages] = isPage ? [stated.get(`$.${paging.totalPages}`), Math.ceil(Number(total) / most)] : [];
  return [
    ...(length !== due ? [`${paging.items} has ${length} records, expected ${due} of ${total ?? "an unknown number"}`] : []),
    ...(pages !== duePages ? [`the response states ${pages} pages in total, expected ${duePages}`] : []),
    ...(place === 0 ? [] : repeatedPage(operation, body, await responseWith(fixture, provider, position, 0)).map(violationText)),
  ];
}

const violationText = ({ path, kind }: Violation) => `${path}: ${kind}`;

/** How a sandbox response violates the rules that its request implies. */
export async function ruleProblems(fixture: NamedFixture, provider: ProviderSandbox, body: unknown): Promise<string[]> {
  const { operation, given, request } = fixture;
  const requested: Json = { ...request.query, ...(request.body as Json | undefined) };
  const [filter, ...others] = filtersOf(operation, requested);
  const isOnly = filter !== undefined && others.length === 0;
  const isWithout = isOnly && JSON.stringify(await responseWith(fixture, provider, filter)) === JSON.stringify(body);
  // Speeds of speed-sensitive vehicles are hidden on request (interface 4.3).
  const hides = operation === "listLivePositions" && requested["hideSpeedIfSpeedSensitive"] === "true";
  const hasEverySpeed = (valuesAt(body, "$[*]") as Json[]).every(({ speed }) => speed !== undefined);
  return [
    ...responseViolations(operation, requested, body).map(violationText),
    ...(isWithout ? [`the response is the same without ${filter}`] : []),
    ...(hides && stateOf(given) === SPEED_SENSITIVE_GROUP && hasEverySpeed
      ? ["every record has a speed, but hideSpeedIfSpeedSensitive must hide some"]
      : []),
    ...(await pageProblems(fixture, provider, body, requested)),
  ];
}

async function bodyProblems(fixture: NamedFixture, provider: ProviderSandbox, body: unknown): Promise<string[]> {
  const { operation, request, response } = fixture;
  const recorded = response.body;
  if (response.status >= 400) {
    const list = Array.isArray(recorded);
    const wanted = fieldsNamed(recorded);
    return [
      ...(list === Array.isArray(body) ? [] : [`the error body is ${list ? "not a list" : "a list"}`]),
      ...(wanted.length === 0 ? [] : jsonDifferences(wanted, fieldsNamed(body), "the rejected fields").map(describeDifference)),
    ];
  }
  // The state and the request determine every field of an updated group.
  if (operation === "updateGroup") return jsonDifferences(inAnyOrder(recorded), inAnyOrder(body)).map(describeDifference);
  if (operation === "createJob") {
    const [wanted, found] = [recorded, body] as [Json, Json];
    const refused = jsonDifferences(fieldsNamed(wanted["errors"] ?? []), fieldsNamed(found["errors"] ?? []), "the rejected fields");
    return [...refused.map(describeDifference), ...echoProblems(request.body, wanted["job"], found["job"])];
  }
  return [...typeProblems(recorded, body), ...(await ruleProblems(fixture, provider, body))];
}

/** How the sandbox's response differs from the recorded one in status, shape and rules. */
async function problemsOf(fixture: NamedFixture, provider: ProviderSandbox, document: InterfaceDocument): Promise<string[]> {
  const { status, headers, body } = await provider.send(fixture);
  if (status !== fixture.response.status)
    return [`the sandbox responds with ${status} (${formatValue(body)}), recorded: ${fixture.response.status}`];
  const type = headers.get("content-type") ?? "";
  return [
    ...(/^application\/json\b/.test(type) ? [] : [`the sandbox responds with content-type ${type}`]),
    ...document.problems(fixture.operation, status, body),
    ...(await bodyProblems(fixture, provider, body)),
  ];
}

/** The sandbox, in the given state, responds to the recorded request with the same status and shape, following the same rules. */
export async function checkSandbox(fixtures: readonly NamedFixture[], document: InterfaceDocument): Promise<CheckResult> {
  const providers = new Map<string, Promise<ProviderSandbox>>();
  return checkEach("sandbox", fixtures, async (fixture) => {
    const { operation, given, reproducible } = fixture;
    if (!reproducible) return { skipped: `the sandbox cannot reproduce: ${stateOf(given)}` };
    const key = JSON.stringify(given);
    // An update changes the state, so the sandbox cannot be reused.
    const provider = (operations[operation].effect !== "update" && providers.get(key)) || setUpState(given);
    if (operations[operation].effect !== "update") providers.set(key, provider);
    return problemsOf(fixture, await provider, document);
  });
}
