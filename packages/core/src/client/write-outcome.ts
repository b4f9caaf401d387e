import { FleetError, withDetails } from "../errors.ts";
import type { Operation } from "../operation.ts";
import { objectWith, valueAt } from "./field-path.ts";
import { type CreationKey, rejectsOnly } from "./idempotency-key.ts";

// 4xx statuses that do not rule out success: the service gave up waiting (408), the request reached another server (421), it could be a replay (425), or the
// connection was closed (499).
const INCONCLUSIVE = new Set([408, 421, 425, 499]);

/** Whether a failed attempt may have taken effect. Only an explicit rejection (4xx, or errors in a 200) rules that out. */
function mayHaveSucceeded({ code, status }: FleetError, sent: boolean): boolean {
  if (!sent) return false;
  if (status === undefined || INCONCLUSIVE.has(status)) return true;
  if (status < 300) return code === "contract" || code === "tooLarge";
  return status < 400 || status >= 500;
}

/** What is known about an update or a creation after each attempt. */
export class WriteOutcome {
  readonly #operation: Operation;
  readonly #key: CreationKey;
  /** Whether an attempt may have taken effect although its response was lost; no later failure changes that. */
  #responseLost: boolean;
  #lastResponseLost = false;

  constructor(operation: Operation, key: CreationKey, maybeSent: boolean) {
    this.#operation = operation;
    this.#key = key;
    this.#responseLost = maybeSent;
  }

  /** Returns the output of a successful response. If an earlier response was lost, the key must match: a different key may mean that there are two records. */
  succeed(output: unknown, status: number): unknown {
    const { idempotencyKey, name } = this.#operation;
    const returned = idempotencyKey && valueAt(idempotencyKey.outputPath, output);
    if (!this.#responseLost || returned === undefined || returned === this.#key.value) return output;
    throw new FleetError("contract", `${name}: the response has a different ${idempotencyKey?.field} from the one sent`, {
      operation: name,
      status,
    });
  }

  /** Records a failed attempt. Returns an output if the failure itself proves that the record was created. */
  fail(error: FleetError, sent: boolean): object | undefined {
    const { idempotencyKey } = this.#operation;
    const { value, generated } = this.#key;
    if (this.#responseLost && idempotencyKey && value !== undefined && generated && rejectsOnly(error, idempotencyKey.field)) {
      return { ...objectWith(idempotencyKey.outputPath, value), inferred: true };
    }
    this.#lastResponseLost = mayHaveSucceeded(error, sent);
    this.#responseLost ||= this.#lastResponseLost;
    return undefined;
  }

  /** Whether a retry is safe: an update can be repeated, the service rejects or replaces a duplicate key, and an unsent request had no effect. */
  canRetry(sent: boolean): boolean {
    return this.#operation.effect !== "create" || this.#key.value !== undefined || !sent;
  }

  /** The error for the caller: `unknownOutcome` if a creation may have happened. */
  finalError(error: FleetError): FleetError {
    const jobNumber = this.#key.value;
    if (!this.#responseLost) return withDetails(error, { jobNumber });
    if (this.#operation.effect !== "create") return withDetails(error, { jobNumber, changed: "unknown" });
    const doubt = this.#lastResponseLost
      ? "it is not known whether the record was created"
      : "an earlier response was lost, so it is not known whether the record was created";
    const { field, listedBy = "" } = this.#operation.idempotencyKey ?? {};
    const call = jobNumber === undefined ? `${listedBy}()` : `${listedBy}({ query: { ${field}: "${jobNumber}" } })`;
    const check = `Check whether ${jobNumber ?? "it"} exists before trying again${listedBy && `, for example with ${call}`}`;
    return new FleetError("unknownOutcome", `${error.summary}; ${doubt}`, {
      quotation: error.quotation,
      operation: this.#operation.name,
      status: error.status,
      errors: error.errors,
      retryAfter: error.retryAfter,
      jobNumber,
      advice: jobNumber === undefined ? check : `${check}, and reuse the same number`,
    });
  }
}
