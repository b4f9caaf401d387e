import { type DeploymentProfile, isRecord, parseJson } from "@fleetwire/core/internal";
import { BodyShapes } from "./body-shapes.ts";
import type { CalledOperation } from "./called-operation.ts";
import { FieldValues } from "./field-values.ts";
import { ListUpdates } from "./list-updates.ts";
import { PageSizes } from "./page-sizes.ts";
import type { FactLearner, SeenCall } from "./seen-call.ts";
import { PeopleNames } from "./shown-values.ts";
import { Units } from "./units.ts";

/** A request and its response as texts. It may contain credentials, none of which are kept. */
export interface SeenExchange {
  called: CalledOperation;
  query: URLSearchParams;
  requestBody: string;
  requestType: string;
  status: number;
  responseBody: string;
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

function callOf({ called, query, requestBody, requestType, status, responseBody, at }: SeenExchange): SeenCall {
  const isForm = requestType.startsWith("application/x-www-form-urlencoded");
  const sent = isForm ? Object.fromEntries(new URLSearchParams(requestBody)) : parsedJson(requestBody);
  const body = parsedJson(responseBody);
  const kind = responseBody.trim() === "" ? "none" : body === undefined ? "text" : "json";
  return { operation: called.operation, status, input: { ...Object.fromEntries(query), ...(isRecord(sent) && sent) }, kind, body, at };
}

/** Learns from calls, one after the other, in the order in which they were sent. */
export class Learner {
  readonly #people = new PeopleNames();
  readonly #learners: readonly FactLearner[] = [
    new FieldValues(this.#people),
    new BodyShapes(this.#people),
    new PageSizes(),
    new Units(),
    new ListUpdates(),
  ];
  #calls = 0;

  add(exchange: SeenExchange): void {
    this.#calls++;
    const call = callOf(exchange);
    for (const learner of this.#learners) learner.add(call);
  }

  get calls(): number {
    return this.#calls;
  }

  profile(): DeploymentProfile {
    const keyOf = (fact: DeploymentProfile["facts"][number]) =>
      [
        fact.operation,
        fact.fact,
        "path" in fact ? fact.path : "",
        "status" in fact ? fact.status : "",
        "which" in fact ? fact.which : "",
      ].join(" ");
    const facts = this.#learners.flatMap((learner) => learner.facts());
    return { version: 1, facts: facts.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) };
  }
}
