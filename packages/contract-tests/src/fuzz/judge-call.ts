import { ApiError, type Operation } from "@fleetwire/core";
import type { StepOutcome } from "../deployment/run-plan.ts";
import type { InvalidField } from "./inputs.ts";

/** A way in which the deployment breaks the contract. */
export interface Problem {
  /** The same problem is reported once. */
  key: string;
  /** What was expected and what happened, in a sentence. */
  text: string;
}

export const problemOf = ({ name }: Operation, key: string, text: string): Problem => ({ key: `${name} ${key}`, text: `${name}: ${text}` });

/** Whether a body is an error as documented for a status: one, or a list of them. */
function isDocumentedError(body: unknown, form: "list" | "one"): boolean {
  const isError = (one: unknown) => ApiError.safeParse(one).success && Object.hasOwn(one as object, "errorMessage");
  return Array.isArray(body) === (form === "list") && [body].flat().every(isError);
}

/** Judges a call whose input is valid, except for one field if that is given. */
export function judge(operation: Operation, { error, exchange, body, violations }: StepOutcome, invalid?: InvalidField): Problem[] {
  // An input that the client itself refuses is not sent.
  if (!exchange || (error?.code === "input" && error.status === undefined)) return [];
  const { status } = exchange;
  const is = (key: string, text: string) => [problemOf(operation, key, text)];
  if (status >= 500) return is("server error", `a response or a refusal is expected; it answers with status ${status}`);
  const documented = operation.errors?.[status as keyof typeof operation.errors];
  if (documented && !isDocumentedError(body, documented.body)) {
    const expected = documented.body === "list" ? "a list of errors" : "one error";
    return is(`error body ${status}`, `status ${status} is expected with ${expected}; its body is something else`);
  }
  if (invalid) {
    const { field, how } = invalid;
    if (status >= 400 || error) return [];
    return is(`accepts ${field} ${how}`, `\`${field}\` ${how} is expected to be refused; it is accepted with status ${status}`);
  }
  if (status < 200 || status > 299) {
    const expected = "valid input is expected to be accepted";
    if (!documented) return is(`status ${status}`, `${expected}; it answers with status ${status}, which is not documented`);
    // Another group may have a name by chance.
    return status === 409 ? [] : is(`refuses ${status}`, `${expected}; it is refused with status ${status}`);
  }
  if (error) return is(`unreadable ${error.code}`, `a response as documented is expected; it cannot be read (${error.code})`);
  return violations.flatMap(({ path, kind, expected, actual }) =>
    is(`${kind} ${path}`, `${expected} is expected at ${path}; it is ${actual.join(" or ")} (${kind})`),
  );
}
