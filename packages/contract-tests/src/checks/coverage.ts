import type { NamedFixture } from "../fixtures/fixture.ts";
import { schemeIn } from "../fixtures/placeholders.ts";
import { pathValuesOf } from "../replay/request-path.ts";
import { isOfType, valuesAt } from "../table/conformance.ts";
import type { ContractTable, TableField } from "../table/contract-table.ts";
import type { CheckResult } from "./check-result.ts";

/** How many fixtures cover a request or response field. */
export interface FieldCoverage {
  operation: string;
  /** `request`, or the status of the response. */
  side: "request" | number;
  field: string;
  fixtures: number;
  /** Enum values that no fixture has. */
  missingValues: string[];
}

export interface Coverage {
  fields: FieldCoverage[];
  /** Statuses, error conditions and schemes that no fixture covers. */
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

/** Path and query values are always strings, whatever the parameter's type. */
const asText = ({ path, row, values }: TableField): TableField => ({ path, values, row: { ...row, type: "string", items: undefined } });

/** A body covers a field if it has a value of the right type for it. */
function fieldCoverage(operation: string, side: "request" | number, field: TableField, bodies: readonly unknown[]): FieldCoverage {
  const { path, row, values } = field;
  const shown = bodies.map((body) => valuesAt(body, path).filter((value) => isOfType(value, row.type))).filter((found) => found.length > 0);
  const found = new Set(shown.flat(2).map(String));
  return { operation, side, field: path, fixtures: shown.length, missingValues: values.filter((value) => !found.has(value)) };
}

function operationCoverage(operation: string, own: readonly NamedFixture[], table: ContractTable): Coverage {
  const responses = (status: number) => own.filter(({ response }) => response.status === status).map(({ response }) => bodyOf(response));
  const statuses = table.statuses(operation);
  const wanted = statuses.length === 0 ? [200] : statuses.map(({ status }) => status);
  const conditions = table.ofKind("error", operation).filter((row) => {
    const bodies = responses(row.status ?? 0).map((body) => JSON.stringify(body));
    return !bodies.some((body) => body.includes(`"${row["field"]}"`));
  });
  const used = new Set<unknown>(own.map(({ request }) => schemeIn(request.headers)));
  const schemes = table.ofKind("auth", operation).filter((row) => !used.has(row["scheme"]));
  const paths = own.map(({ request }) => pathValuesOf(table.pathOf(operation) ?? "", request.path));
  const queries = own.map(({ request }) => request.query);
  const bodies = own.map(({ request }) => request.body);
  return {
    fields: [
      ...table.pathFields(operation).map((field) => fieldCoverage(operation, "request", asText(field), paths)),
      ...table.queryFields(operation).map((field) => fieldCoverage(operation, "request", asText(field), queries)),
      ...table.bodyFields(operation).map((field) => fieldCoverage(operation, "request", field, bodies)),
      ...statuses.flatMap(({ status }) =>
        (table.responseFields(operation, status) ?? []).map((field) => fieldCoverage(operation, status, field, responses(status))),
      ),
    ],
    missing: [
      ...wanted.filter((status) => responses(status).length === 0).map((status) => `${operation}: no fixture with status ${status}`),
      ...conditions.map((row) => `${operation}: no fixture for ${row.name} (status ${row.status})`),
      ...schemes.map((row) => `${operation}: no fixture with the scheme ${row["scheme"]}`),
    ],
  };
}

/** Measures how much of the table the fixtures cover. */
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

/** Everything in the table that no fixture covers. */
export function gapsOf({ fields, missing }: Coverage): string[] {
  const gaps = fields.flatMap(({ operation, side, field, fixtures, missingValues }) => {
    const place = `${operation} ${side === "request" ? "request" : `status ${side}`} ${field}`;
    if (fixtures === 0) return [`${place}: not in any fixture`];
    return missingValues.length > 0 ? [`${place}: no fixture has ${missingValues.join(", ")}`] : [];
  });
  return [...missing, ...gaps];
}

/** Coverage as a check result, with a finding for each gap. */
export function checkCoverage(fixtures: readonly NamedFixture[], table: ContractTable): CheckResult {
  const coverage = coverageOf(fixtures, table);
  const findings = gapsOf(coverage).map((problem) => ({ check: "coverage" as const, subject: problem.split(/[ :]/)[0] ?? "", problem }));
  return { check: "coverage", checked: coverage.fields.length, findings, skips: [] };
}
