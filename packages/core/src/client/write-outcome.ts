import { FleetError, withDetails } from "../errors.ts";
import { putAt, valueAt } from "../json-values.ts";
import type { IdempotencyKey, Operation } from "../operation.ts";
import { canIdentify, isOther } from "./write-response.ts";

/** The idempotency key that a creation is sent with. A key generated for this creation cannot belong to an older one. */
interface CreationKey {
  value: string | undefined;
  generated: boolean;
}

function generateKey({ name }: Operation, { field, generate }: IdempotencyKey, now: () => number): string {
  try {
    return generate(new Date(now()));
  } catch {
    throw new FleetError("config", `${name}: could not generate ${field}`, {
      operation: name,
      advice: "Check the client's clock and the operation's idempotencyKey; nothing was sent",
    });
  }
}

/** Adds a generated key to the input of a creation that has none, so that it can be retried safely. Returns undefined if the operation takes no key. */
export function addIdempotencyKey(
  operation: Operation,
  input: Record<string, unknown>,
  { generateKeys, now }: { generateKeys: boolean; now: () => number },
): CreationKey | undefined {
  const { idempotencyKey } = operation;
  if (idempotencyKey === undefined) return undefined;
  const { field } = idempotencyKey;
  const generated = generateKeys && input[field] === undefined;
  if (generated) input[field] = generateKey(operation, idempotencyKey, now);
  return { value: input[field] as string | undefined, generated };
}

const endsWith = (field: string) => (name: string) => name === field || name.endsWith(`.${field}`);

/** Whether the service rejected only this input field, according to the fields that its errors name (interface 2.2, 2.6). */
export function rejectsOnly({ code, errors }: FleetError, field: string): boolean {
  const fields = errors.map(({ offendingFields = [] }) => offendingFields);
  const onlyThisField = fields.length > 0 && fields.every((names) => names.length > 0 && names.every(endsWith(field)));
  return (code === "rejected" || code === "conflict") && onlyThisField;
}

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

// Statuses of a gateway that stopped waiting: the service may still work on the request.
const STOPPED_WAITING = new Set([408, 499, 504, 524]);

/** What is known about an update or a creation after each attempt. */
export class WriteOutcome {
  readonly #operation: Operation;
  readonly #key: CreationKey;
  /** Whether an attempt may have taken effect although its response was lost; no later failure changes that. */
  #responseLost: boolean;
  #lastResponseLost = false;
  /** Whether an attempt, of this call or an earlier one, may still be running: the service may then hold its key, and reject it in the end. */
  #mayStillRun: boolean;
  #timedOut = false;

  constructor(operation: Operation, key: CreationKey, maybeSent: boolean) {
    this.#operation = operation;
    this.#key = key;
    this.#responseLost = maybeSent;
    this.#mayStillRun = maybeSent;
  }

  /** Returns the output of a successful response. If an earlier response was lost, the key must match: a different key may mean that there are two records. */
  succeed(output: unknown, status: number): unknown {
    const { idempotencyKey, name } = this.#operation;
    const { value } = this.#key;
    if (idempotencyKey === undefined || value === undefined) return output;
    const returned = valueAt(idempotencyKey.outputPath, output);
    if (!canIdentify(returned)) putAt(idempotencyKey.outputPath, output, value);
    else if (this.#responseLost && isOther(returned, value)) {
      throw new FleetError("contract", `${name}: the response has a different ${idempotencyKey.field} from the one sent`, {
        operation: name,
        status,
      });
    }
    return output;
  }

  /** Records a failed attempt; `ended` if the service no longer works on it. Returns an output if the failure itself proves that the record was created. */
  fail(error: FleetError, sent: boolean, ended = false): object | undefined {
    const isTaken = this.#isTaken(error);
    this.#lastResponseLost = mayHaveSucceeded(error, sent);
    this.#responseLost ||= this.#lastResponseLost;
    const { status } = error;
    this.#timedOut ||= sent && !ended && (status === undefined ? error.code === "timeout" : STOPPED_WAITING.has(status));
    this.#mayStillRun ||= this.#timedOut;
    return isTaken && !this.#mayStillRun ? this.#infer() : undefined;
  }

  /** Whether the service rejects our own key because an earlier attempt used it. */
  #isTaken(error: FleetError): boolean {
    const { idempotencyKey } = this.#operation;
    const { value, generated } = this.#key;
    return (
      this.#responseLost && idempotencyKey !== undefined && value !== undefined && generated && rejectsOnly(error, idempotencyKey.field)
    );
  }

  /** Whether the key is taken by an attempt that may still be running, so that the service may yet reject it. */
  isInDoubt(error: FleetError): boolean {
    return this.#mayStillRun && this.#isTaken(error);
  }

  /**
   * Returns an output if a key in doubt is listed, or is still taken after a wait by an attempt of an earlier call. An attempt of this call may take any time.
   */
  async prove(error: FleetError, hasWaited: boolean, isListed: (key: string) => Promise<boolean>): Promise<object | undefined> {
    if (!this.isInDoubt(error)) return undefined;
    return (hasWaited && !this.#timedOut) || (await isListed(this.#key.value as string)) ? this.#infer() : undefined;
  }

  /** The output of a creation of which only the key is known. */
  #infer(): object {
    const output = { inferred: true };
    putAt(this.#operation.idempotencyKey?.outputPath as string, output, this.#key.value);
    return output;
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
    const advice = jobNumber === undefined ? check : `${check}, and reuse the same number`;
    const details = { operation: this.#operation.name, changed: "unknown", jobNumber, advice } as const;
    return new FleetError("unknownOutcome", `${error.summary}; ${doubt}`, { ...error, ...details });
  }
}
