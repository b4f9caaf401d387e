import type { OperationName } from "@fleetwire/core";
import type { ProfileFact } from "@fleetwire/core/internal";

/** A call of any client, as seen on the wire. It contains no headers. */
export interface SeenCall {
  operation: OperationName;
  status: number;
  /** The fields of the request: its query, and its body if that is JSON or a form. */
  input: Readonly<Record<string, unknown>>;
  /** What the body of the response is. */
  kind: "json" | "text" | "none";
  body: unknown;
  /** When it was sent, in milliseconds since 1970. */
  at: number;
}

/** Learns facts of one kind. Keeps counts, names of fields and values that identify nobody; ids only as pseudonyms. */
export interface FactLearner {
  add(call: SeenCall): void;
  facts(): ProfileFact[];
}

/** From when until when a fact was observed. */
export class Period {
  #from = Number.POSITIVE_INFINITY;
  #until = Number.NEGATIVE_INFINITY;

  add(at: number): void {
    this.#from = Math.min(this.#from, at);
    this.#until = Math.max(this.#until, at);
  }

  evidence(records: number, of: number): Pick<ProfileFact, "basis" | "records" | "of" | "from" | "until"> {
    const written = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`;
    return { basis: "observed", records, of, from: written(this.#from), until: written(this.#until) };
  }
}

/** The entry of a map, which is added if it is missing. */
export function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const created = create();
  map.set(key, created);
  return created;
}
