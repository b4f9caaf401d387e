import type { Operation } from "../operation.ts";
import { valueAt } from "./field-path.ts";

/** The secrets that a client must redact: its own, and those that its callers received from the service. */
export interface KnownSecrets {
  list(): string[];
  /** Remembers the secrets in an output. */
  remember(operation: Operation, output: unknown): void;
}

const REMEMBERED = 16;

/** `own` returns the client's own secrets, which are never forgotten. */
export function createKnownSecrets(own: () => readonly string[]): KnownSecrets {
  let received: readonly string[] = [];
  return {
    list: () => [...own(), ...received],
    remember({ secretOutput = [] }, output) {
      const found = secretOutput.map((path) => valueAt(path, output)).filter((value) => typeof value === "string");
      if (found.length > 0) received = [...found, ...received.filter((secret) => !found.includes(secret))].slice(0, REMEMBERED);
    },
  };
}
