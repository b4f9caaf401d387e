import { type Operation, type OperationName, operations } from "@fleetwire/core";
import { type Sample, samples } from "@fleetwire/core/samples";
import { describe, expect, it } from "vitest";
import { draftFixtures } from "../draft/draft-fixtures.ts";
import { draftRows } from "../draft/draft-rows.ts";
import { checkClient, checkSandbox } from "../src/checks/index.ts";
import { ContractTable, coverageOf, gapsOf, loadFixtures, loadTable, type NamedFixture } from "../src/index.ts";
import { factsOfTable } from "../src/table/index.ts";

const table = loadTable();
const token = loadFixtures().filter(({ operation }) => operation === "requestAccessToken");
// For nested request bodies a draft copies the sample.
const described = Object.values<Operation>(operations).filter(
  ({ effect, undocumented, body }) => effect === "read" && !body && !undocumented,
);

function draftsOf(operation: Operation): NamedFixture[] {
  const sample: Sample = samples[operation.name as OperationName];
  return [...draftFixtures(operation, table, sample, "2026-11-22")].map(([id, fixture]) => ({ ...fixture, id }));
}

const problems = ({ findings }: { findings: { subject: string; problem: string }[] }) =>
  findings.map(({ subject, problem }) => `${subject}: ${problem}`);

describe.each(described.map((operation) => [operation.name as OperationName, operation] as const))(
  "the drafts for %s",
  (name, operation) => {
    it("mark every row and fixture until somebody has checked it", () => {
      expect(draftRows(operation).filter(({ reviewed }) => reviewed)).toEqual([]);
      expect(draftsOf(operation).filter(({ reviewed }) => reviewed !== false)).toEqual([]);
    });

    it("have the facts of the table", () => {
      const others = table.rows.filter((row) => row.operation !== name);
      const shapes = new Set(draftRows(operation).flatMap(({ shape }) => shape ?? []));
      const drafted = new ContractTable([...others.filter(({ shape = "" }) => !shapes.has(shape)), ...draftRows(operation)]);
      const factsFor = (of: ContractTable) => [...factsOfTable(of).facts.keys()].filter((fact) => fact.startsWith(`${name} `)).sort();
      const [wanted, found] = [factsFor(table), factsFor(drafted)];
      expect(wanted.filter((fact) => !found.includes(fact))).toEqual([]);
    });

    it("leave no gap in the coverage", () => {
      const gaps = gapsOf(coverageOf(draftsOf(operation), table)).filter((gap) => gap.startsWith(`${name}`));
      expect(gaps).toEqual([]);
    });

    it("match what the client and the sandbox do", async () => {
      const drafts = draftsOf(operation);
      expect(problems(await checkClient([...token, ...drafts], table))).toEqual([]);
      expect(problems((await checkSandbox(drafts, table)).result)).toEqual([]);
    });
  },
);
