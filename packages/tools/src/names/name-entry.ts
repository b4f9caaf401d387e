/** The property of an entity that matched. */
export type MatchedBy = "name" | "registration" | "vin" | "id" | "driver" | "group";

/** A property that holds a name. */
export interface NameProperty<Value> {
  by: MatchedBy;
  of: (value: Value) => string | undefined;
  isPerson?: boolean;
  /** Whether many entities share the same name, so that it is processed and stored once. */
  isShared?: boolean;
}

/** A property that holds a code, such as a registration. */
export interface CodeProperty<Value> {
  by: MatchedBy;
  of: (value: Value) => string | undefined;
  /** Minimum number of characters for a partial match; if not set, the code matches only as a whole. */
  minPartLength?: number;
  /** Minimum number of characters for a match at the end of the code; if not set, its end never matches. */
  minSuffixLength?: number;
}

/** The names and codes by which entities of one kind are found. */
export interface Naming<Value> {
  names: readonly NameProperty<Value>[];
  codes: readonly CodeProperty<Value>[];
  /** The labels by which questions offer an entity. */
  labels?: (value: Value) => string[];
}

/** An entity in the index, with its non-empty names. */
export interface Entry<Value> {
  value: Value;
  names: readonly IndexedName<Value>[];
  /** The number of the last list that contained the entity, as counted by the code that fills the index. */
  list: number;
  /** Counts the entities in the order in which they were added. */
  readonly serial: number;
}

/** A name, split into words. */
export interface Name {
  by: MatchedBy;
  isPerson: boolean;
  tokens: readonly string[];
  meaning: readonly string[];
}

/** A name in the index, with the entities that have it. */
export interface IndexedName<Value> extends Name {
  entries: Entry<Value>[];
  /** The row of its outline. */
  row: number;
}

/** Finds the entities with these names, more than once if they have several. */
export function* holdersOf<Value>(names: Iterable<IndexedName<Value>>): Generator<Entry<Value>> {
  for (const { entries } of names) yield* entries;
}

/** An entity that matched, and the property that did. */
export interface Hit<Value> {
  entry: Entry<Value>;
  by: MatchedBy;
}

/** A code of an entity, in the normalized form in which codes are compared. */
export interface Code<Value> extends Hit<Value> {
  text: string;
  minPartLength: number;
  minSuffixLength: number;
  /** The code as written, including the spaces and dashes that separate its parts. */
  written: string;
}
