import type { NamedFixture } from "../fixtures/fixture.ts";
import { schemeIn } from "../fixtures/placeholders.ts";
import type { InterfaceDocument, InterfaceField } from "../interface/interface-document.ts";
import { jsonOf, typeOf, valuesAt } from "../json-values.ts";
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

interface Coverage {
  fields: FieldCoverage[];
  /** Everything in the interface that no fixture covers: fields, their values, statuses, error conditions and schemes. */
  gaps: string[];
}

const bodyOf = ({ body, text }: NamedFixture["response"]): unknown => (text === undefined ? body : jsonOf(text));

/** A body covers a field if it has a value of the right type for it. Query values are always strings. */
function fieldCoverage(operation: string, side: FieldCoverage["side"], field: InterfaceField, bodies: readonly unknown[]): FieldCoverage {
  const { path, type, values } = field;
  const wanted = type === "integer" ? "number" : type;
  const shown = bodies.map((body) => valuesAt(body, path).filter((value) => typeOf(value) === wanted));
  const found = new Set(shown.flat(2).map(String));
  const fixtures = shown.filter(({ length }) => length > 0).length;
  return { operation, side, field: path, fixtures, missingValues: values.filter((value) => !found.has(value)) };
}

function gapOf({ operation, side, field, fixtures, missingValues }: FieldCoverage): string[] {
  const place = `${operation} ${side === "request" ? "request" : `status ${side}`} ${field}`;
  if (fixtures === 0) return [`${place}: not in any fixture`];
  return missingValues.length > 0 ? [`${place}: no fixture has ${missingValues.join(", ")}`] : [];
}

function operationCoverage(operation: string, own: readonly NamedFixture[], document: InterfaceDocument): Coverage {
  const responses = (status: number) => own.filter(({ response }) => response.status === status).map(({ response }) => bodyOf(response));
  const statuses = document.statuses(operation);
  const uncovered = (statuses.length === 0 ? [200] : statuses).filter((status) => responses(status).length === 0);
  const conditions = document
    .conditions(operation)
    .filter(({ status, field }) => !responses(status).some((body) => JSON.stringify(body).includes(`"${field}"`)));
  const used = new Set(own.map(({ request }) => schemeIn(request.headers)));
  const schemes = document.schemesOf(operation).filter((scheme) => !used.has(scheme));
  const asTexts = document.queryParameters(operation).map((field) => ({ ...field, type: "string" }));
  const sides: [FieldCoverage["side"], InterfaceField[], unknown[]][] = [
    ["request", asTexts, own.map(({ request }) => request.query)],
    ["request", document.bodyFields(operation), own.map(({ request }) => request.body)],
    ...statuses.map((status): (typeof sides)[number] => [status, document.responseFields(operation, status) ?? [], responses(status)]),
  ];
  return {
    fields: sides.flatMap(([side, fields, bodies]) => fields.map((field) => fieldCoverage(operation, side, field, bodies))),
    gaps: [
      ...uncovered.map((status) => `${operation}: no fixture with status ${status}`),
      ...conditions.map(({ status, field }) => `${operation}: no fixture with status ${status} for ${field}`),
      ...schemes.map((scheme) => `${operation}: no fixture with the scheme ${scheme}`),
    ],
  };
}

/** Measures how much of the interface the fixtures cover. */
export function coverageOf(fixtures: readonly NamedFixture[], document: InterfaceDocument): Coverage {
  const own = (name: string) => fixtures.filter(({ operation }) => operation === name);
  const parts = document.operations.map((name) => operationCoverage(name, own(name), document));
  const fields = parts.flatMap((part) => part.fields);
  return { fields, gaps: [...parts.flatMap(({ gaps }) => gaps), ...fields.flatMap(gapOf)] };
}

/** Coverage as a check result, with a finding for each gap. */
export function checkCoverage(fixtures: readonly NamedFixture[], document: InterfaceDocument): CheckResult {
  const { fields, gaps } = coverageOf(fixtures, document);
  const findings = gaps.map((problem) => ({ check: "coverage" as const, subject: problem.split(/[ :]/)[0] ?? "", problem }));
  return { check: "coverage", checked: fields.length, findings, skips: [] };
}
