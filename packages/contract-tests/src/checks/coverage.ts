import type { NamedFixture } from "../fixtures/fixture.ts";
import { schemeIn } from "../fixtures/placeholders.ts";
import type { InterfaceDocument, InterfaceField } from "../interface/interface-document.ts";
import { jsonOf, typeOf, valuesAt } from "../json-values.ts";
import { pathValuesOf } from "../replay/request-path.ts";
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

const bodyOf = ({ body, text }: NamedFixture["response"]): unknown => (text === undefined ? body : jsonOf(text));

/** A body covers a field if it has a value of the right type for it. Path and query values are always strings. */
function fieldCoverage(
  operation: string,
  side: "request" | number,
  { path, type, values }: InterfaceField,
  bodies: readonly unknown[],
): FieldCoverage {
  const wanted = type === "integer" ? "number" : type;
  const shown = bodies.map((body) => valuesAt(body, path).filter((value) => typeOf(value) === wanted));
  const found = new Set(shown.flat(2).map(String));
  const fixtures = shown.filter(({ length }) => length > 0).length;
  return { operation, side, field: path, fixtures, missingValues: values.filter((value) => !found.has(value)) };
}

function operationCoverage(operation: string, own: readonly NamedFixture[], document: InterfaceDocument): Coverage {
  const responses = (status: number) => own.filter(({ response }) => response.status === status).map(({ response }) => bodyOf(response));
  const statuses = document.statuses(operation);
  const wanted = statuses.length === 0 ? [200] : statuses;
  const conditions = document.conditions(operation).filter(({ status, field }) => {
    const bodies = responses(status).map((body) => JSON.stringify(body));
    return !bodies.some((body) => body.includes(`"${field}"`));
  });
  const used = new Set(own.map(({ request }) => schemeIn(request.headers)));
  const schemes = document.schemesOf(operation).filter((scheme) => !used.has(scheme));
  const paths = own.map(({ request }) => pathValuesOf(document.pathOf(operation) ?? "", request.path));
  const queries = own.map(({ request }) => request.query);
  const bodies = own.map(({ request }) => request.body);
  const asTexts = (place: "path" | "query") => document.parameters(operation, place).map((field) => ({ ...field, type: "string" }));
  const sides: [FieldCoverage["side"], InterfaceField[], unknown[]][] = [
    ["request", asTexts("path"), paths],
    ["request", asTexts("query"), queries],
    ["request", document.bodyFields(operation), bodies],
    ...statuses.map((status): [number, InterfaceField[], unknown[]] => [
      status,
      document.responseFields(operation, status) ?? [],
      responses(status),
    ]),
  ];
  return {
    fields: sides.flatMap(([side, fields, held]) => fields.map((field) => fieldCoverage(operation, side, field, held))),
    missing: [
      ...wanted.filter((status) => responses(status).length === 0).map((status) => `${operation}: no fixture with status ${status}`),
      ...conditions.map(({ status, field }) => `${operation}: no fixture with status ${status} for ${field}`),
      ...schemes.map((scheme) => `${operation}: no fixture with the scheme ${scheme}`),
    ],
  };
}

/** Measures how much of the interface the fixtures cover. */
export function coverageOf(fixtures: readonly NamedFixture[], document: InterfaceDocument): Coverage {
  const own = (name: string) => fixtures.filter(({ operation }) => operation === name);
  const parts = document.operations.map((name) => operationCoverage(name, own(name), document));
  return { fields: parts.flatMap(({ fields }) => fields), missing: parts.flatMap(({ missing }) => missing) };
}

/** Everything in the interface that no fixture covers. */
export function gapsOf({ fields, missing }: Coverage): string[] {
  const gaps = fields.flatMap(({ operation, side, field, fixtures, missingValues }) => {
    const place = `${operation} ${side === "request" ? "request" : `status ${side}`} ${field}`;
    if (fixtures === 0) return [`${place}: not in any fixture`];
    return missingValues.length > 0 ? [`${place}: no fixture has ${missingValues.join(", ")}`] : [];
  });
  return [...missing, ...gaps];
}

/** Coverage as a check result, with a finding for each gap. */
export function checkCoverage(fixtures: readonly NamedFixture[], document: InterfaceDocument): CheckResult {
  const coverage = coverageOf(fixtures, document);
  const findings = gapsOf(coverage).map((problem) => ({ check: "coverage" as const, subject: problem.split(/[ :]/)[0] ?? "", problem }));
  return { check: "coverage", checked: coverage.fields.length, findings, skips: [] };
}
