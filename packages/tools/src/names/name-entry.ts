/** The property of an entity that matched. */
export type MatchedBy = "name" | "registration" | "vin" | "id" | "driver" | "group";

/** An entity with its names and its codes, such as a registration. */
export interface Named<Value> {
  value: Value;
  names: readonly { by: MatchedBy; text: string | undefined; isPerson?: boolean }[];
  /** Minimum number of characters needed to match part of a code (`minPartLength`) or its end (`minSuffixLength`). */
  codes: readonly { by: MatchedBy; text: string | undefined; minPartLength?: number; minSuffixLength?: number }[];
}

/** An entity in the index, with its non-empty names. */
export interface Entry<Value> {
  value: Value;
  names: readonly Name<Value>[];
}

export interface Name<Value> {
  entry: Entry<Value>;
  by: MatchedBy;
  isPerson: boolean;
  tokens: readonly string[];
  joined: string;
  meaning: readonly string[];
}

export interface Code<Value> {
  entry: Entry<Value>;
  by: MatchedBy;
  text: string;
  minPartLength: number;
  minSuffixLength: number;
  /** The code as written, including the spaces and dashes that separate its parts. */
  written: string;
}
