import type { CheckResult } from "../checks/check-result.ts";
import type { NamedFixture } from "../fixtures/fixture.ts";
import { pathValuesOf } from "../replay/request-path.ts";
import { isOfType, valuesAt } from "./conformance.ts";
import type { ContractTable, TableField } from "./contract-table.ts";

/** What fixtures show of one field: of a request by what is sent, of an answer by what comes. */
export interface FieldCoverage {
  operation: string;
  /** `request`, or the status of the answer. */
  side: "request" | number;
  field: string;
  fixtures: number;
  /** Values of its enum that no fixture has. */
  missingValues: string[];
}

export interface Coverage {
  fields: FieldCoverage[];
  /** Statuses, conditions of errors and schemes that no fixture shows. */
  missing: string[];
}

function bodyOf({ body, text }: NamedFixture["response"]): unknown {
  if (text === undefined) return body;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A path and a query have texts only, whatever the types of their parameters are. */
const asText = ({ path, row, values }: TableField): TableField => ({ path, values, row: { ...row, type: "string", items: undefined } });

/** A field counts as shown by a body that holds it with its own type. */
function fieldCoverage(operation: string, side: "request" | number, field: TableField, bodies: readonly unknown[]): FieldCoverage {
  const { path, row, values } = field;
  const shown = bodies.map((body) => valuesAt(body, path).filter((value) => isOfType(value, row.type))).filter((found) => found.length > 0);
  const found = new Set(shown.flat(2).map(String));
  return { operation, side, field: path, fixtures: shown.length, missingValues: values.filter((value) => !found.has(value)) };
}

const WORDS: Readonly<Record<string, string>> = { basic: "Basic ", bearer: "Bearer ", "connect-token": "TOKEN " };

function operationCoverage(operation: string, own: readonly NamedFixture[], table: ContractTable): Coverage {
  const answers = (status: number) => own.filter(({ response }) => response.status === status).map(({ response }) => bodyOf(response));
  const statuses = table.statuses(operation);
  const wanted = statuses.length === 0 ? [200] : statuses.map(({ status }) => status);
  const conditions = table.ofKind("error", operation).filter((row) => {
    const bodies = answers(row.status ?? 0).map((body) => JSON.stringify(body));
    return !bodies.some((body) => body.includes(`"${row["field"]}"`));
  });
  const schemes = table.ofKind("auth", operation).filter((row) => {
    const word = WORDS[String(row["scheme"])] ?? "";
    return !own.some(({ request }) => Object.values(request.headers).some((value) => value.startsWith(word)));
  });
  const paths = own.map(({ request }) => pathValuesOf(table.pathOf(operation) ?? "", request.path));
  const queries = own.map(({ request }) => request.query);
  const bodies = own.map(({ request }) => request.body);
  return {
    fields: [
      ...table.pathFields(operation).map((field) => fieldCoverage(operation, "request", asText(field), paths)),
      ...table.queryFields(operation).map((field) => fieldCoverage(operation, "request", asText(field), queries)),
      ...table.bodyFields(operation).map((field) => fieldCoverage(operation, "request", field, bodies)),
      ...statuses.flatMap(({ status }) =>
        (table.responseFields(operation, status) ?? []).map((field) => fieldCoverage(operation, status, field, answers(status))),
      ),
    ],
    missing: [
      ...wanted.filter((status) => answers(status).length === 0).map((status) => `${operation}: no fixture with status ${status}`),
      ...conditions.map((row) => `${operation}: no fixture of ${row.name} (status ${row.status})`),
      ...schemes.map((row) => `${operation}: no fixture with the scheme ${row["scheme"]}`),
    ],
  };
}

/** How much of the hand-written table the fixtures show. */
export function coverageOf(fixtures: readonly NamedFixture[], table: ContractTable): Coverage {
  const parts = table.operations.map((name) =>
    operationCoverage(
      name,
      fixtures.filter(({ operation }) => operation === name),
      table,
    ),
  );
  return { fields: parts.flatMap(({ fields }) => fields), missing: parts.flatMap(({ missing }) => missing) };
}

/** Everything that the table states and no fixture shows. */
export function gapsOf({ fields, missing }: Coverage): string[] {
  const gaps = fields.flatMap(({ operation, side, field, fixtures, missingValues }) => {
    const place = `${operation} ${side === "request" ? "request" : `status ${side}`} ${field}`;
    if (fixtures === 0) return [`${place}: in no fixture`];
    return missingValues.length > 0 ? [`${place}: no fixture has ${missingValues.join(", ")}`] : [];
  });
  return [...missing, ...gaps];
}

/** The coverage as a result: each gap is a finding. */
export function checkCoverage(fixtures: readonly NamedFixture[], table: ContractTable): CheckResult {
  const coverage = coverageOf(fixtures, table);
  const findings = gapsOf(coverage).map((problem) => ({ check: "coverage" as const, subject: problem.split(/[ :]/)[0] ?? "", problem }));
  return { check: "coverage", checked: coverage.fields.length, findings, skips: [] };
}
