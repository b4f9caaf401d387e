import { ApiError, type FleetError, type Operation } from "@fleetwire/core";
import type { Exchange, StepOutcome } from "../deployment/index.ts";

/** A way in which the deployment breaks the contract. */
export interface Problem {
  /** The same problem is reported once. */
  key: string;
  /** What was expected and what happened, in a sentence. */
  text: string;
}

const problem = (name: string, key: string, text: string): Problem => ({ key: `${name} ${key}`, text: `${name}: ${text}` });

/** An input that the client itself refuses is not sent. */
const isUnsent = (error: FleetError | undefined) => error?.code === "input" && error.status === undefined;

/** Whether a body is an error as documented for a status: one, or a list of them. */
function isDocumentedError({ responseBody }: Exchange, form: "list" | "one"): boolean {
  try {
    const body: unknown = JSON.parse(responseBody);
    return (
      Array.isArray(body) === (form === "list") &&
      [body].flat().every((one) => ApiError.safeParse(one).success && Object.hasOwn(one as object, "errorMessage"))
    );
  } catch {
    return false;
  }
}

/** What is wrong with any response, whatever was sent. */
function alwaysWrong({ name, errors = {} }: Operation, exchange: Exchange): Problem[] {
  const { status } = exchange;
  if (status >= 500) return [problem(name, "server error", `a response or a refusal is expected; it answers with status ${status}`)];
  const documented = errors[status as keyof typeof errors];
  if (documented && !isDocumentedError(exchange, documented.body))
    return [
      problem(
        name,
        `error body ${status}`,
        `status ${status} is expected with ${documented.body === "list" ? "a list of errors" : "one error"}; its body is something else`,
      ),
    ];
  return [];
}

/** Judges a call whose input is valid. */
export function judgeValid(operation: Operation, { error, exchange, violations }: StepOutcome): Problem[] {
  const { name, errors = {} } = operation;
  if (!exchange || isUnsent(error)) return [];
  const wrong = alwaysWrong(operation, exchange);
  if (wrong.length > 0) return wrong;
  const { status } = exchange;
  if (status < 200 || status > 299) {
    const isDocumented = Object.hasOwn(errors, status);
    // Another group may have a name by chance.
    if (isDocumented && status === 409) return [];
    return [
      isDocumented
        ? problem(name, `refuses ${status}`, `valid input is expected to be accepted; it is refused with status ${status}`)
        : problem(
            name,
            `status ${status}`,
            `valid input is expected to be accepted; it answers with status ${status}, which is not documented`,
          ),
    ];
  }
  if (error) return [problem(name, `unreadable ${error.code}`, `a response as documented is expected; it cannot be read (${error.code})`)];
  return violations.map(({ path, kind, expected, actual }) =>
    problem(name, `${kind} ${path}`, `${expected} is expected at ${path}; it is ${actual.join(" or ")} (${kind})`),
  );
}

/** Judges a call with one invalid field. */
export function judgeInvalid(
  operation: Operation,
  { field, how }: { field: string; how: string },
  { error, exchange }: StepOutcome,
): Problem[] {
  const { name } = operation;
  if (!exchange || isUnsent(error)) return [];
  const wrong = alwaysWrong(operation, exchange);
  if (wrong.length > 0) return wrong;
  const isRefused = exchange.status >= 400 || error !== undefined;
  return isRefused
    ? []
    : [
        problem(
          name,
          `accepts ${field} ${how}`,
          `\`${field}\` ${how} is expected to be refused; it is accepted with status ${exchange.status}`,
        ),
      ];
}

export const lost = (name: string, what: string): Problem =>
  problem(name, `lost ${what}`, `${what} is expected to be kept; it was accepted and is gone`);

export const repeated = (name: string, field: string): Problem =>
  problem(name, `accepts ${field} twice`, `a \`${field}\` that exists is expected to be refused; a second creation with it is accepted`);
