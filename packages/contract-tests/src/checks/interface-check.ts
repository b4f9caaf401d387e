import { openApiDocument } from "@fleetwire/core";
import { factsOf, type Json } from "../interface/facts.ts";
import type { InterfaceDocument } from "../interface/interface-document.ts";
import type { CheckResult } from "./check-result.ts";

type Intended = readonly [fact: RegExp, reason: string];

/** Facts of core that the interface description does not state; `docs/decisions.md` documents them for users. */
const ADDED: readonly Intended[] = [
  [/^requestAccessToken body\.grant_type (default|required)/, "always sent, as nothing else is described"],
  [/^(updateGroup \w+\.parentId|listLivePositions query\.groupIds\[\]) pattern /, "an identifier cannot alter a URL or a list"],
  [/^listLivePositions query\.\w+Ids minItems 1$/, "an empty filter might select everything"],
  [/^\w+ (query\.pageIndex|body\.skip) minimum 0$/, "there is no page before the first"],
  [/^\w+ (query\.pageSize|body\.limit) minimum 1$/, "a page has at least one record"],
  [/(lat|latitude) (minimum -90|maximum 90|in degrees)$/i, "latitude is bounded by the globe"],
  [/(lng|longitude) (minimum -180|maximum 180|in degrees)$/i, "longitude is bounded by the globe"],
  [/^queryTachoActivity body\.driverKeys\[\] minLength 15$/, "14 characters plus an issue number"],
  [/^queryTachoActivity body\.registrations\[\] minLength 1$/, "a registration is never empty"],
  [/^createJob query\.override (type string|enum null)$/, "null is sent as the word"],
  [/^listLivePositions query\.fromDateTime in UTC$/, "the client sends every time in UTC"],
  [/^listLivePositions 200\[\]\.engineTotalHoursType in hours$/, "says what the type is of"],
  [/^updateGroup 200 content application\/json$/, "a response is read whatever its character set"],
  [
    /^(listTireEvents|listJobs) (query\.query |200 (stated|content application\/json)$)/,
    "only the path is described: all else is passed on",
  ],
];

/** Facts of the interface description that core leaves out. */
const LEFT_OUT: readonly Intended[] = [
  [/^createJob body (anyOf|dependentRequired|not) /, "core's tests hold the rules over several fields"],
  [/^updateGroup body\.path /, "read-only, so nobody sends it"],
  [/^updateGroup 200 content .*charset/, "a response is read whatever its character set"],
  [/^listVehicleFaults query\.(start|end)Date format /, "the pattern says more"],
  [
    /^(listVehicleFaults|listLivePositions|createJob|queryTachoActivity) 200\S+ (pattern|maxItems) /,
    "a response is read whatever the form of its text",
  ],
  [/^createJob body\.\w+\[\]\S*\.personId pattern /, "what the service records about a job is not what a caller chooses"],
  [/^createJob query\.override type null$/, "null is sent as the word"],
];

/** The contract states the facts of the interface document and no others, except for what is intended. */
export function checkInterface({ document }: InterfaceDocument, contract: Json = openApiDocument()): CheckResult {
  const [known, found] = [factsOf(document), factsOf(contract)];
  const missing = [...known].filter((fact) => !found.has(fact));
  const extra = [...found].filter((fact) => !known.has(fact));
  const unintended = (facts: readonly string[], intended: readonly Intended[]) =>
    facts.filter((fact) => !intended.some(([form]) => form.test(fact)));
  const stale = (facts: readonly string[], intended: readonly Intended[]) =>
    intended.filter(([form]) => !facts.some((fact) => form.test(fact)));
  const problems = [
    ...unintended(missing, LEFT_OUT).map((fact) => ["core lacks", fact]),
    ...unintended(extra, ADDED).map((fact) => ["core adds", fact]),
    ...[...stale(missing, LEFT_OUT), ...stale(extra, ADDED)].map(([form, reason]) => ["no longer a difference", `${form} (${reason})`]),
  ];
  const findings = problems.map(([kind, fact = ""]) => ({
    check: "interface" as const,
    subject: /\w+/.exec(fact)?.[0] ?? "",
    problem: `${kind}: ${fact}`,
  }));
  return { check: "interface", checked: known.size, findings, skips: [] };
}
