import { type Operation, type OperationName, operations } from "@fleetwire/core";
import { type DeploymentProfile, type ProfileFact, parseJson } from "@fleetwire/core/internal";
import type { Exchange } from "../deployment/index.ts";
import { ListShapes, OpenValues } from "./observed-fields.ts";
import { PeopleNames } from "./shown-values.ts";
import { Units } from "./units.ts";

/** A call of an operation by any client, and when it was sent, in milliseconds since 1970. */
export interface SeenCall {
  operation: OperationName;
  exchange: Pick<Exchange, "url" | "status" | "responseBody">;
  at: number;
}

/** A JSON text; undefined if it is none. */
export function parsedJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** How a deployment resolves what the interface leaves open, as calls show it. Nothing is learned from tokens, and of failures only which names are people's. */
export function profileOf(calls: readonly SeenCall[]): DeploymentProfile {
  const people = new PeopleNames();
  const [values, shapes, units] = [new OpenValues(people), new ListShapes(people), new Units()];
  for (const { operation, exchange, at } of calls) {
    const { undocumented, secretOutput }: Operation = operations[operation];
    const body = secretOutput ? undefined : parsedJson(exchange.responseBody);
    if (body === undefined) continue;
    if (exchange.status !== 200) shapes.addFailure(body);
    else if (undocumented) shapes.add(operation, body, at);
    else values.add(operation, body, at);
    if (exchange.status === 200 && operation === "queryTachoActivity") units.add(body, at);
  }
  const keyOf = (fact: ProfileFact) => [fact.operation, fact.fact, "path" in fact ? fact.path : ""].join(" ");
  const facts = [...values.facts(), ...shapes.facts(), ...units.facts()];
  return { version: 1, facts: facts.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) } satisfies DeploymentProfile;
}
