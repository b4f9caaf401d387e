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
  labels: (value: Value) => string[];
}

/** An entity in the index, with its non-empty names. */
export interface Entry<Value> {
  value: Value;
  names: readonly Name<Value>[];
  /** The number of the last list that contained the entity, as counted by the code that fills the index. */
  list: number;
}

/** A name, split into words, with the entities that have it: thousands of vehicles may share the name of a group. */
export interface Name<Value> {
  text: string;
  by: MatchedBy;
  isPerson: boolean;
  tokens: readonly string[];
  /** The words in their common meaning; the same array if they do not differ. */
  meaning: readonly string[];
  entries: Entry<Value>[];
}

/** An entity that matched, and the property that did. */
export interface Hit<Value> {
  entry: Entry<Value>;
  by: MatchedBy;
}

/** A code in its normalized form, the entity that has it, and its property. */
export interface Code<Value> extends Hit<Value> {
  text: string;
  property: CodeProperty<Value>;
}
