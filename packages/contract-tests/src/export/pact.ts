import { type Operation, type OperationName, operations } from "@fleetwire/core";
import { isRecord } from "@fleetwire/core/internal";
import type { Baseline } from "../checks/presence.ts";
import type { NamedFixture } from "../fixtures/fixture.ts";

/** The part of a recorded body that all of the sandbox's records have: a Pact requires each record to have every field of the example. */
function commonPart(body: unknown, alwaysPresent: ReadonlySet<string>, path = ""): unknown {
  if (Array.isArray(body)) return body.slice(0, 1).map((item) => commonPart(item, alwaysPresent, `${path}[]`));
  if (!isRecord(body)) return body;
  const entries = Object.entries(body).flatMap(([name, value]) => {
    const place = path === "" ? name : `${path}.${name}`;
    const inside = [...alwaysPresent].some((known) => known === place || known.startsWith(`${place}.`) || known.startsWith(`${place}[]`));
    return inside ? [[name, commonPart(value, alwaysPresent, place)]] : [];
  });
  return Object.fromEntries(entries);
}

/** Type matchers; a list matches by its first item and may have any length. */
function matchersOf(body: unknown, path = "$", rules: Record<string, unknown> = {}): Record<string, unknown> {
  if (Array.isArray(body)) {
    rules[path] = { combine: "AND", matchers: [{ match: "type" }] };
    for (const item of body) matchersOf(item, `${path}[*]`, rules);
  } else if (isRecord(body)) {
    for (const [name, value] of Object.entries(body))
      matchersOf(value, /^\w+$/.test(name) ? `${path}.${name}` : `${path}['${name}']`, rules);
  } else if (path !== "$") rules[path] = { combine: "AND", matchers: [{ match: "type" }] };
  return rules;
}

/** The reproducible fixtures as a Pact (specification 3) between client and service, with values matched by type. */
export function pactOf(fixtures: readonly NamedFixture[], baseline: Baseline): { interactions: unknown[] } & Record<string, unknown> {
  const interactions = fixtures
    .filter(({ id, reproducible }) => reproducible && baseline[id]?.sandbox !== undefined)
    .map(({ id, operation, title, given, request, response }) => {
      const alwaysPresent = new Set((baseline[id]?.sandbox ?? []).filter((place) => !place.includes("?")));
      // If only the path of an operation is documented, no body is guaranteed.
      const body = isDescribed(operation) ? commonPart(response.body, alwaysPresent) : undefined;
      const type = Object.entries(response.headers).find(([name]) => name.toLowerCase() === "content-type");
      return {
        description: `${title} (${id})`,
        providerStates: [typeof given === "string" ? { name: given } : { name: given.state, params: given.params ?? {} }],
        request: {
          method: request.method,
          path: request.path,
          ...(Object.keys(request.query).length > 0 && {
            query: Object.fromEntries(Object.entries(request.query).map(([name, value]) => [name, [value].flat()])),
          }),
          headers: request.headers,
          ...(request.body !== undefined && {
            body: isForm(request.headers) ? new URLSearchParams(request.body as Record<string, string>).toString() : request.body,
          }),
        },
        response: {
          status: response.status,
          ...(type && { headers: { "Content-Type": type[1] } }),
          ...(body !== undefined && { body }),
          matchingRules: {
            ...(type && { header: { "Content-Type": { combine: "AND", matchers: [{ match: "regex", regex: "application/json.*" }] } } }),
            ...(body !== undefined && { body: matchersOf(body) }),
          },
        },
      };
    });
  return {
    consumer: { name: "fleetwire-client" },
    provider: { name: "fleet-service" },
    interactions,
    metadata: { pactSpecification: { version: "3.0.0" } },
  };
}

const isDescribed = (name: OperationName) => !(operations[name] as Operation).undocumented;

const isForm = (headers: Readonly<Record<string, string>>) =>
  Object.values(headers).some((value) => value.startsWith("application/x-www-form-urlencoded"));
