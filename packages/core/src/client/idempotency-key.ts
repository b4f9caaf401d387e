import { FleetError } from "../errors.ts";
import type { IdempotencyKey, Operation } from "../operation.ts";

/** The idempotency key that a creation is sent with. A key generated for this creation cannot belong to an older one. */
export interface CreationKey {
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
