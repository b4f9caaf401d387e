import { isRecord, operations } from "@fleetwire/core";
import { type NamedFixture, stateOf } from "../fixtures/fixture.ts";
import type { ProviderAnswer, Stage } from "../provider/provider-sandbox.ts";
import { stageFor } from "../provider/states.ts";
import { jsonDifferences, shown, told } from "../replay/json-differences.ts";
import { tableProblems } from "../table/conformance.ts";
import type { ContractTable } from "../table/contract-table.ts";
import { judge, type Verdict } from "./finding.ts";
import { placesIn } from "./presence.ts";
import { ruleProblems } from "./sandbox-rules.ts";

type Json = Record<string, unknown>;

const fieldsNamed = (errors: unknown): string[] => {
  const list = [errors].flat() as { offendingFields?: string[]; field?: string }[];
  return [...new Set(list.flatMap(({ offendingFields = [], field = [] }) => [offendingFields, field].flat()))].sort();
};

/** Fields of a job that the sandbox does not take from a request (docs/decisions.md, S25 and S31). */
const OWN_WORDS = [
  "jobId",
  "lat",
  "lng",
  "eta",
  "etaDistanceKms",
  "lastEtaCalcTime",
  "lastServerTime",
  "statusChangeId",
  "statusChangeTimestamp",
];

/** What the answer repeats of the request, recorded and as it came. */
function echoProblems(request: unknown, recorded: unknown, found: unknown, stage: Stage): string[] {
  if (!isRecord(request) || !isRecord(recorded) || !isRecord(found)) return [];
  return Object.entries(request)
    .filter(([name, value]) => typeof value !== "object" && recorded[name] === value && value !== "" && !OWN_WORDS.includes(name))
    .flatMap(([name, value]) => jsonDifferences(stage.translated(value), found[name], name).map(told));
}

function jsonType(value: unknown): string {
  return Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
}

/** Places that both answers have, whose values are of different types. */
function typeProblems(recorded: unknown, found: unknown): string[] {
  const types = new Map([...placesIn(recorded)].map(([place, value]) => [place, jsonType(value)]));
  return [...placesIn(found)].flatMap(([place, value]) => {
    const wanted = types.get(place);
    return wanted === undefined || wanted === jsonType(value) ? [] : [`${place} is of type ${jsonType(value)}: ${wanted} was recorded`];
  });
}

const inAnyOrder = (value: unknown): unknown => {
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, Array.isArray(inner) ? inner.toSorted() : inner]));
};

async function bodyProblems(fixture: NamedFixture, stage: Stage, body: unknown): Promise<string[]> {
  const { operation, request, response } = fixture;
  const recorded = response.body;
  if (response.status >= 400) {
    const list = Array.isArray(recorded);
    const wanted = fieldsNamed(recorded);
    return [
      ...(list === Array.isArray(body) ? [] : [`the error body is ${list ? "no list" : "a list"}`]),
      ...(wanted.length === 0 ? [] : jsonDifferences(wanted, fieldsNamed(body), "the fields that are refused").map(told)),
    ];
  }
  // What an update leaves behind follows from the state and the request to the last field.
  if (operation === "updateGroup") return jsonDifferences(inAnyOrder(stage.translated(recorded)), inAnyOrder(body)).map(told);
  if (operation === "createJob") {
    const [wanted, found] = [recorded, body] as [Json, Json];
    const refused = jsonDifferences(fieldsNamed(wanted["errors"] ?? []), fieldsNamed(found["errors"] ?? []), "the fields that are refused");
    return [...refused.map(told), ...echoProblems(request.body, wanted["job"], found["job"], stage)];
  }
  return [...typeProblems(recorded, body), ...(await ruleProblems(fixture, stage, body))];
}

/** How the sandbox's answer differs from the recorded one in status, shape and rules. */
async function answerProblems(
  fixture: NamedFixture,
  stage: Stage,
  table: ContractTable,
  { status, headers, body }: ProviderAnswer,
): Promise<string[]> {
  if (status !== fixture.response.status)
    return [`the sandbox answers ${status} (${shown(body)}): ${fixture.response.status} was recorded`];
  const type = headers.get("content-type") ?? "";
  return [
    ...(/^application\/json\b/.test(type) ? [] : [`the sandbox answers with content-type ${type}`]),
    ...tableProblems(table, fixture.operation, status, body),
    ...(await bodyProblems(fixture, stage, body)),
  ];
}

/** Check 3: the sandbox, brought into the given state, answers the recorded request with the same status, shape and rules. */
export async function checkSandbox(
  fixtures: readonly NamedFixture[],
  table: ContractTable,
  options: { bail?: boolean | undefined } = {},
): Promise<{ verdict: Verdict; answers: ReadonlyMap<string, unknown> }> {
  const answers = new Map<string, unknown>();
  const stages = new Map<string, Promise<Stage>>();
  const stageOf = ({ operation, given }: NamedFixture): Promise<Stage> => {
    // An update leaves another state behind than it was given.
    if (operations[operation].effect === "update") return stageFor(given, { vehicles: 24 });
    const key = JSON.stringify(given);
    const stage = stages.get(key) ?? stageFor(given);
    stages.set(key, stage);
    return stage;
  };
  const verdict = await judge(
    "sandbox",
    fixtures,
    async (fixture) => {
      if (!fixture.reproducible) return { skipped: `the sandbox does not bring about: ${stateOf(fixture.given)}` };
      const stage = await stageOf(fixture);
      const answer = await stage.send(fixture);
      answers.set(fixture.id, answer.body);
      return answerProblems(fixture, stage, table, answer);
    },
    options,
  );
  return { verdict, answers };
}
