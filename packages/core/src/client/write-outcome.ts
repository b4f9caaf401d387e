import { FleetError, withDetails } from "../errors.ts";
import type { Operation } from "../operation.ts";
import { objectWith, valueAt } from "./field-path.ts";

/** How a creation's number came to be: only one that was generated for it cannot be an older job's. */
export interface CreationNumber {
  value: string | undefined;
  generated: boolean;
}

// 4xx, and yet no refusal: the service gave up waiting (408), another server took the request (421), it may be replayed (425), the connection was closed (499).
const DOUBTFUL = new Set([408, 421, 425, 499]);

/** Whether a failed attempt may have done what it asked for. Only a response that says no, 4xx or errors in a 200, leaves no doubt. */
function mayBeDone({ code, status }: FleetError, sent: boolean): boolean {
  if (!sent) return false;
  if (status === undefined || DOUBTFUL.has(status)) return true;
  if (status >= 200 && status < 300) return code === "contract" || code === "tooLarge";
  return status < 400 || status >= 500;
}

const isOn = (field: string) => (name: string) => name === field || name.endsWith(`.${field}`);

/** Whether an error is a refusal of one input field and of nothing else, as far as the service names fields (interface 2.2, 2.6). */
export function rejectsOnly({ code, errors }: FleetError, field: string): boolean {
  const fields = errors.map(({ offendingFields = [] }) => offendingFields);
  const concernsIt = fields.length > 0 && fields.every((names) => names.length > 0 && names.every(isOn(field)));
  return (code === "rejected" || code === "conflict") && concernsIt;
}

/** What is known of an update or a creation after each of its attempts. It never says more than that. */
export class WriteOutcome {
  readonly #operation: Operation;
  readonly #number: CreationNumber;
  /** Something may have been done, and no response says what: no later failure undoes that. */
  #lost: boolean;
  #lastIsLost = false;

  constructor(operation: Operation, number: CreationNumber, maybeSent: boolean) {
    this.#operation = operation;
    this.#number = number;
    this.#lost = maybeSent;
  }

  /** The output of a response. After a lost one it must be about the same number: another one may mean that there are two now. */
  settle(output: unknown, status: number): unknown {
    const { idempotencyKey, name } = this.#operation;
    const answered = idempotencyKey && valueAt(idempotencyKey.outputPath, output);
    if (!this.#lost || answered === undefined || answered === this.#number.value) return output;
    throw new FleetError("contract", `${name}: the response has another ${idempotencyKey?.field} than the one that was sent`, {
      operation: name,
      status,
    });
  }

  /** Takes in how an attempt failed. Returns an output where that failure itself shows that the creation happened. */
  take(error: FleetError, sent: boolean): object | undefined {
    const { idempotencyKey } = this.#operation;
    const { value, generated } = this.#number;
    if (this.#lost && idempotencyKey && value !== undefined && generated && rejectsOnly(error, idempotencyKey.field)) {
      return { ...objectWith(idempotencyKey.outputPath, value), inferred: true };
    }
    this.#lastIsLost = mayBeDone(error, sent);
    this.#lost ||= this.#lastIsLost;
    return undefined;
  }

  /** Whether another attempt does no harm: an update may be repeated, a numbered creation is refused or overwritten, and what was never sent was never done. */
  mayRepeat(sent: boolean): boolean {
    return this.#operation.effect !== "create" || this.#number.value !== undefined || !sent;
  }

  /** The error as the caller must see it: of what may have happened it is only known that nothing is known. */
  judge(error: FleetError): FleetError {
    const jobNumber = this.#number.value;
    const changed = this.#lost ? "unknown" : "no";
    if (!this.#lost || this.#operation.effect !== "create") return withDetails(error, { jobNumber, changed });
    const doubt = this.#lastIsLost
      ? "whether it was done is not known"
      : "an earlier response was lost, and whether it was done is not known";
    const { field, listedBy = "" } = this.#operation.idempotencyKey ?? {};
    const call = jobNumber === undefined ? `${listedBy}()` : `${listedBy}({ query: { ${field}: "${jobNumber}" } })`;
    const look = `Look whether ${jobNumber ?? "it"} is there before trying again${listedBy && `, with ${call} for example`}`;
    return new FleetError("unknownOutcome", `${error.summary}; ${doubt}`, {
      quotation: error.quotation,
      operation: this.#operation.name,
      status: error.status,
      errors: error.errors,
      retryAfter: error.retryAfter,
      jobNumber,
      changed,
      advice: jobNumber === undefined ? look : `${look}, and use the same number`,
    });
  }
}
