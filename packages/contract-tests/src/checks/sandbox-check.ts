import { operations } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import { type NamedFixture, stateOf } from "../fixtures/fixture.ts";
import type { InterfaceDocument } from "../interface/interface-document.ts";
import { pathsIn, typeOf } from "../json-values.ts";
import { type ProviderResponse, type ProviderSandbox, setUpState } from "../provider/provider-sandbox.ts";
import { describeDifference, formatValue, jsonDifferences } from "../replay/json-differences.ts";
import { type CheckResult, checkEach } from "./check-result.ts";
import { ruleProblems } from "./sandbox-rules.ts";

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
async function responseProblems(
  fixture: NamedFixture,
  provider: ProviderSandbox,
  document: InterfaceDocument,
  { status, headers, body }: ProviderResponse,
): Promise<string[]> {
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
export async function checkSandbox(
  fixtures: readonly NamedFixture[],
  document: InterfaceDocument,
  options: { bail?: boolean | undefined } = {},
): Promise<CheckResult> {
  const providers = new Map<string, Promise<ProviderSandbox>>();
  const providerFor = ({ operation, given }: NamedFixture): Promise<ProviderSandbox> => {
    // An update changes the state, so the sandbox cannot be reused.
    if (operations[operation].effect === "update") return setUpState(given);
    const key = JSON.stringify(given);
    const provider = providers.get(key) ?? setUpState(given);
    providers.set(key, provider);
    return provider;
  };
  return checkEach(
    "sandbox",
    fixtures,
    async (fixture) => {
      if (!fixture.reproducible) return { skipped: `the sandbox cannot reproduce: ${stateOf(fixture.given)}` };
      const provider = await providerFor(fixture);
      return responseProblems(fixture, provider, document, await provider.send(fixture));
    },
    options,
  );
}
