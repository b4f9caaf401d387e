/** Which property of the entity matched. */
export type MatchedBy = "name" | "registration" | "vin" | "id" | "driver" | "group";

/** An entity with the names people use for it and the codes written on it. */
export interface Named<Value> {
  value: Value;
  names: readonly { by: MatchedBy; text: string | undefined; isPerson?: boolean }[];
  /** The fewest characters that may match a part of the code, or its end. */
  codes: readonly { by: MatchedBy; text: string | undefined; minPartLength?: number; minSuffixLength?: number }[];
}

/** An entity as indexed, with its non-empty names. */
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
  /** As written, including the spaces and dashes that separate its words. */
  written: string;
}
