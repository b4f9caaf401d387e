import { openApiDocument } from "@fleetwire/core";
import { factsOf, type Json } from "../interface/facts.ts";
import type { InterfaceDocument } from "../interface/interface-document.ts";
import type { CheckResult } from "./check-result.ts";

interface Intended {
  fact: RegExp;
  reason: string;
}

/** Facts of core that the interface description does not state; `docs/decisions.md` documents them for users. */
const ADDED: readonly Intended[] = [
  { fact: /^requestAccessToken body\.grant_type (default|required)/, reason: "always sent, as nothing else is described" },
  {
    fact: /^(updateGroup \w+\.parentId|listLivePositions query\.groupIds\[\]) pattern /,
    reason: "an identifier cannot alter a URL or a list",
  },
  { fact: /^listLivePositions query\.\w+Ids minItems 1$/, reason: "an empty filter might select everything" },
  { fact: /^\w+ (query\.pageIndex|body\.skip) minimum 0$/, reason: "there is no page before the first" },
  { fact: /^\w+ (query\.pageSize|body\.limit) minimum 1$/, reason: "a page has at least one record" },
  { fact: /(lat|latitude) (minimum -90|maximum 90|in degrees)$/i, reason: "latitude is bounded by the globe" },
  { fact: /(lng|longitude) (minimum -180|maximum 180|in degrees)$/i, reason: "longitude is bounded by the globe" },
  { fact: /^queryTachoActivity body\.driverKeys\[\] minLength 15$/, reason: "14 characters plus an issue number" },
  { fact: /^queryTachoActivity body\.registrations\[\] minLength 1$/, reason: "a registration is never empty" },
  { fact: /^createJob query\.override (type string|enum null)$/, reason: "null is sent as the word" },
  { fact: /^listLivePositions query\.fromDateTime in UTC$/, reason: "the client sends every time in UTC" },
  { fact: /^listLivePositions 200\[\]\.engineTotalHoursType in hours$/, reason: "says what the type is of" },
  { fact: /^updateGroup 200 content application\/json$/, reason: "a response is read whatever its character set" },
  {
    fact: /^(listTireEvents|listJobs) (query\.query |200 (stated|content application\/json)$)/,
    reason: "only the path is described: all else is passed on",
  },
];

/** Facts of the interface description that core leaves out. */
const LEFT_OUT: readonly Intended[] = [
  { fact: /^createJob body (anyOf|dependentRequired|not) /, reason: "core's tests hold the rules over several fields" },
  { fact: /^updateGroup body\.path /, reason: "read-only, so nobody sends it" },
  { fact: /^updateGroup 200 content .*charset/, reason: "a response is read whatever its character set" },
  { fact: /^listVehicleFaults query\.(start|end)Date format /, reason: "the pattern says more" },
  {
    fact: /^(listVehicleFaults|listLivePositions|createJob|queryTachoActivity) 200\S+ (pattern|maxItems) /,
    reason: "a response is read whatever the form of its text",
  },
  { fact: /^createJob body\.\w+\[\]\S*\.personId pattern /, reason: "what the service records about a job is not what a caller chooses" },
  { fact: /^createJob query\.override type null$/, reason: "null is sent as the word" },
];

/** The contract states the facts of the interface document and no others, except for what is intended. */
export function checkInterface({ document }: InterfaceDocument, contract: Json = openApiDocument()): CheckResult {
  const [known, found] = [factsOf(document), factsOf(contract)];
  const missing = [...known].filter((fact) => !found.has(fact));
  const extra = [...found].filter((fact) => !known.has(fact));
  const unintended = (facts: readonly string[], intended: readonly Intended[]) =>
    facts.filter((fact) => !intended.some((one) => one.fact.test(fact)));
  const stale = (facts: readonly string[], intended: readonly Intended[]) =>
    intended.filter((one) => !facts.some((fact) => one.fact.test(fact)));
  const problems = [
    ...unintended(missing, LEFT_OUT).map((fact) => ["core lacks", fact]),
    ...unintended(extra, ADDED).map((fact) => ["core adds", fact]),
    ...[...stale(missing, LEFT_OUT), ...stale(extra, ADDED)].map(({ fact, reason }) => ["no longer a difference", `${fact} (${reason})`]),
  ];
  const findings = problems.map(([kind, fact = ""]) => ({
    check: "interface" as const,
    subject: /\w+/.exec(fact)?.[0] ?? "",
    problem: `${kind}: ${fact}`,
  }));
  return { check: "interface", checked: known.size, findings, skips: [] };
}
