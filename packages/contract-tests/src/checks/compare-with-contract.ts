import { metadataOf, type Operation, requestFields } from "@fleetwire/core";
import { type Contract, coreContract, descriptionAt, factsOfContract } from "../table/contract-facts.ts";
import type { ContractTable } from "../table/contract-table.ts";
import { factsOfTable, mentionsOf } from "../table/table-facts.ts";
import type { CheckResult, Finding } from "./check-result.ts";

/** Rules that core adds to single fields of the interface, with reasons; `docs/decisions.md` documents them for users. */
const CHOSEN_RULES: Readonly<Record<string, string>> = {
  "requestAccessToken body.grant_type required": "always sent, as nothing else is described",
  "queryTachoActivity body.driverKeys items minLength 15": "14 characters plus an issue number",
  "queryTachoActivity body.registrations items minLength 1": "a registration is never empty",
};

/** A rule that core adds to all fields of a kind. */
interface Family {
  reason: string;
  /** Matches a fact of such a field, with its name as the first group. */
  fact: RegExp;
  adds?: (operation: Operation, field: string) => boolean;
}

const FAMILIES: readonly Family[] = [
  {
    reason: "identifiers consist of letters and digits, so none can alter a URL or a list",
    fact: / (\S+) (?:form alphanumeric|(?:items )?pattern \^\[A-Za-z0-9\]\+\$)$/,
  },
  {
    reason: "an empty filter might select everything",
    fact: / query\.(\S+) minItems 1$/,
    adds: (operation, field) => {
      const { schema } = requestFields(operation)[field] ?? {};
      return schema !== undefined && metadataOf(schema)?.holds === "id";
    },
  },
  {
    reason: "there is no page before the first",
    fact: / (?:query|body)\.(\S+) minimum 0$/,
    adds: ({ paging }, field) => field === (paging?.kind === "page" ? paging.index : paging?.skip),
  },
  {
    reason: "a page has at least one record",
    fact: / (?:query|body)\.(\S+) minimum 1$/,
    adds: ({ paging }, field) => field === (paging?.kind === "page" ? paging.size : paging?.limit),
  },
  { reason: "latitude is bounded by the globe", fact: /([lL]at|[lL]atitude) (?:minimum -90|maximum 90)$/ },
  { reason: "longitude is bounded by the globe", fact: /([lL]ng|[lL]ongitude) (?:minimum -180|maximum 180)$/ },
];

/** Why core adds a fact such as `listLivePositions query.vehicleIds minItems 1` that no row states, or undefined if that is unintended. */
function reasonFor(fact: string, operations: Readonly<Record<string, Operation>>): string | undefined {
  if (Object.hasOwn(CHOSEN_RULES, fact)) return CHOSEN_RULES[fact];
  const operation = operations[fact.slice(0, fact.indexOf(" "))];
  if (!operation) return undefined;
  return FAMILIES.find(({ fact: form, adds }) => {
    const [, field = ""] = form.exec(fact) ?? [];
    return field !== "" && (adds?.(operation, field) ?? true);
  })?.reason;
}

/** The wording in our descriptions for a word in the interface description. */
const SYNONYMS: Readonly<Record<string, RegExp>> = { kph: /km\/h/, hours: /\bhours\b/, percent: /\bpercent\b/, true: /\btrue\b/ };

/** Units, defaults and zero-based numbering that schemas cannot express must be in the field's description. */
function unmentioned(table: ContractTable, { operations }: Contract): string[] {
  return Object.values(operations).flatMap((operation) => {
    const groups = [
      ...table.pathFields(operation.name).map((field) => ["path", field] as const),
      ...table.queryFields(operation.name).map((field) => ["query", field] as const),
      ...table.bodyFields(operation.name).map((field) => ["body", field] as const),
      ...(table.responseFields(operation.name, 200) ?? []).map((field) => ["200", field] as const),
    ];
    return groups.flatMap(([where, field]) => {
      const description = descriptionAt(operation, where, field.path);
      const missing = mentionsOf(field).filter((word) => !(SYNONYMS[word] ?? new RegExp(`\\b${word}\\b`)).test(description));
      return missing.map(
        (word) => `${operation.name} ${where}.${field.path}: its description does not mention ${word} (part ${field.row.part})`,
      );
    });
  });
}

/** Points to the operation's file, from which its schemas can be found. */
function fileToOpen(fact: string, { operations }: Contract): string {
  const [name = ""] = fact.split(" ");
  if (!Object.hasOwn(operations, name)) return "";
  return `; see packages/core/src/operations/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
}

/** Compares the hand-written table with core in both directions. */
export async function compareWithContract(table: ContractTable, contract: Contract = coreContract): Promise<CheckResult> {
  const { facts: stated, problems } = factsOfTable(table);
  const contractFacts = await factsOfContract(table, contract);
  const missing = [...stated]
    .filter(([fact]) => !contractFacts.has(fact))
    .map(([fact, part]) => `core lacks: ${fact} (part ${part})${fileToOpen(fact, contract)}`);
  const surplus = [...contractFacts]
    .filter((fact) => !stated.has(fact) && reasonFor(fact, contract.operations) === undefined)
    .map((fact) => `core has a fact that no row states: ${fact}${fileToOpen(fact, contract)}`);
  const stale = Object.keys(CHOSEN_RULES)
    .filter((fact) => !contractFacts.has(fact) || stated.has(fact))
    .map((fact) => `CHOSEN_RULES lists a fact that core does not add: ${fact}`);
  const findings = [...problems, ...missing, ...surplus, ...stale, ...unmentioned(table, contract)].map((problem): Finding => {
    const subject = /^(?:[^:]*(?:lacks|states|add): )?(\w+) /.exec(problem)?.[1] ?? "table";
    return { check: "table", subject, problem };
  });
  return { check: "table", checked: stated.size, findings, skips: [] };
}
