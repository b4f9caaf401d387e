import type { Operation } from "../operation.ts";
import { valueAt } from "./field-path.ts";

/** The secrets of a client: its own, and those that its callers got from the service by it. */
export interface KnownSecrets {
  list(): string[];
  /** Remembers what an answer holds of secrets. */
  learn(operation: Operation, output: unknown): void;
}

const REMEMBERED = 16;

/** `own` gives those that the client uses itself, which are never forgotten. */
export function createKnownSecrets(own: () => readonly string[]): KnownSecrets {
  let learned: readonly string[] = [];
  return {
    list: () => [...own(), ...learned],
    learn({ secretOutput = [] }, output) {
      const held = secretOutput.map((path) => valueAt(path, output)).filter((value) => typeof value === "string");
      if (held.length > 0) learned = [...held, ...learned.filter((secret) => !held.includes(secret))].slice(0, REMEMBERED);
    },
  };
}
