import { CHOSEN_RULES, reasonFor } from "../table/chosen-rules.ts";
import { type Contract, coreContract, descriptionAt, factsOfContract } from "../table/contract-facts.ts";
import type { ContractTable } from "../table/contract-table.ts";
import { factsOfTable, mentionsOf } from "../table/table-facts.ts";
import type { CheckResult, Finding } from "./check-result.ts";

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
    .map((fact) => `chosen-rules.ts lists a fact that core does not add: ${fact}`);
  const findings = [...problems, ...missing, ...surplus, ...stale, ...unmentioned(table, contract)].map((problem): Finding => {
    const subject = /^(?:[^:]*(?:lacks|states|add): )?(\w+) /.exec(problem)?.[1] ?? "table";
    return { check: "table", subject, problem };
  });
  return { check: "table", checked: stated.size, findings, skips: [] };
}
