import type { CheckResult, Finding } from "../checks/check-result.ts";
import { CHOSEN_RULES, reasonFor } from "./chosen-rules.ts";
import { type Contract, coreContract, descriptionAt, factsOfContract } from "./contract-facts.ts";
import type { ContractTable } from "./contract-table.ts";
import { factsOfTable, mentionsOf } from "./table-facts.ts";

/** Other words for what the description calls so. */
const SYNONYMS: Readonly<Record<string, RegExp>> = { kph: /km\/h/, hours: /\bhours\b/, percent: /\bpercent\b/, true: /\btrue\b/ };

/** Units, defaults and bases that no schema holds have to be told by the field's description. */
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

/** The operation's file, from which its schemas are found. */
function toOpen(fact: string, { operations }: Contract): string {
  const [name = ""] = fact.split(" ");
  if (!Object.hasOwn(operations, name)) return "";
  return `; see packages/core/src/operations/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}.ts`;
}

/** Compares the hand-written table with core, both ways. */
export async function compareWithContract(table: ContractTable, contract: Contract = coreContract): Promise<CheckResult> {
  const { facts: stated, problems } = factsOfTable(table);
  const held = await factsOfContract(table, contract);
  const missing = [...stated]
    .filter(([fact]) => !held.has(fact))
    .map(([fact, part]) => `core lacks: ${fact} (part ${part})${toOpen(fact, contract)}`);
  const surplus = [...held]
    .filter((fact) => !stated.has(fact) && reasonFor(fact, contract.operations) === undefined)
    .map((fact) => `core has what no row states: ${fact}${toOpen(fact, contract)}`);
  const stale = Object.keys(CHOSEN_RULES)
    .filter((fact) => !held.has(fact) || stated.has(fact))
    .map((fact) => `chosen-rules.ts names what core does not add: ${fact}`);
  const findings = [...problems, ...missing, ...surplus, ...stale, ...unmentioned(table, contract)].map((problem): Finding => {
    const subject = /^(?:[^:]*(?:lacks|states|add): )?(\w+) /.exec(problem)?.[1] ?? "table";
    return { check: "table", subject, problem };
  });
  return { check: "table", checked: stated.size, findings, skips: [] };
}
