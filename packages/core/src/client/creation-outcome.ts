import { FleetError, withDetails } from "../errors.ts";
import type { Operation } from "../operation.ts";
import { objectWith, valueAt } from "./field-path.ts";

/** How a creation's number came to be: only one that the client made cannot be an older job's. */
export interface CreationNumber {
  value: string | undefined;
  madeHere: boolean;
}

/** Whether a failed attempt may have done what it asked for. Only an answer that says no, 4xx or errors in a 200, leaves no doubt. */
function mayBeDone({ code, status }: FleetError, sent: boolean): boolean {
  if (!sent) return false;
  if (status === undefined || status === 408) return true;
  if (status >= 200 && status < 300) return code === "contract" || code === "tooLarge";
  return status < 400 || status >= 500;
}

const isOn = (field: string) => (name: string) => name === field || name.endsWith(`.${field}`);

/** Whether a refusal is about this field and about nothing else. */
function isRefusalOf(field: string, { code, errors }: FleetError): boolean {
  const fields = errors.map(({ offendingFields = [] }) => offendingFields);
  const concernsIt = fields.length > 0 && fields.every((names) => names.length > 0 && names.every(isOn(field)));
  return (code === "rejected" || code === "conflict") && concernsIt;
}

/** What is known of a creation after each of its attempts. It never says more than that. */
export class CreationOutcome {
  readonly #operation: Operation;
  readonly #number: CreationNumber;
  /** An attempt may have done it, and its answer is lost: no later failure undoes that. */
  #lost = false;
  #lastIsLost = false;

  constructor(operation: Operation, number: CreationNumber) {
    this.#operation = operation;
    this.#number = number;
  }

  /** The output of an answer. After a lost one it must be about the same number: another one may mean that there are two now. */
  settle(output: unknown, status: number): unknown {
    const { numbering, name } = this.#operation;
    const answered = numbering && valueAt(numbering.answer, output);
    if (!this.#lost || answered === undefined || answered === this.#number.value) return output;
    throw new FleetError("contract", `${name}: the answer has another ${numbering?.field} than the one that was sent`, {
      operation: name,
      status,
    });
  }

  /** Takes in how an attempt failed. Gives an output where that failure itself shows that the creation happened. */
  take(error: FleetError, sent: boolean): object | undefined {
    const { numbering } = this.#operation;
    const { value, madeHere } = this.#number;
    if (this.#lost && numbering && value !== undefined && madeHere && isRefusalOf(numbering.field, error)) {
      return { ...objectWith(numbering.answer, value), inferred: true };
    }
    this.#lastIsLost = mayBeDone(error, sent);
    this.#lost ||= this.#lastIsLost;
    return undefined;
  }

  /** Whether another attempt does no harm: under a number the service refuses or overwrites it, and what was never sent was never done. */
  mayRepeat(sent: boolean): boolean {
    return this.#number.value !== undefined || !sent;
  }

  /** The error as the caller must see it: of what may have happened it is only known that nothing is known. */
  judge(error: FleetError): FleetError {
    const number = this.#number.value;
    if (!this.#lost) return withDetails(error, { jobNumber: number });
    const doubt = this.#lastIsLost
      ? "whether it was done is not known"
      : "an earlier answer was lost, and whether it was done is not known";
    const look =
      number === undefined
        ? "Look whether it is there before trying again"
        : `Look whether ${number} is there before trying again, and use the same number`;
    return new FleetError("unknownOutcome", `${error.summary}; ${doubt}`, {
      quotation: error.quotation,
      operation: this.#operation.name,
      status: error.status,
      errors: error.errors,
      retryAfter: error.retryAfter,
      jobNumber: number,
      advice: look,
    });
  }
}
