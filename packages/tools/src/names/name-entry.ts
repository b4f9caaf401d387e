/** How something was recognised. */
export type MatchedBy = "name" | "registration" | "vin" | "id" | "driver" | "group";

/** A thing with the names that people call it by, and the codes that are written on it. */
export interface Named<Value> {
  value: Value;
  names: readonly { by: MatchedBy; text: string | undefined; isPerson?: boolean }[];
  /** Characters from which a part of the code, or its end, is taken for it. */
  codes: readonly { by: MatchedBy; text: string | undefined; minPartLength?: number; minSuffixLength?: number }[];
}

/** A thing as an index knows it, by the names that say something. */
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
  meant: readonly string[];
}

export interface Code<Value> {
  entry: Entry<Value>;
  by: MatchedBy;
  text: string;
  minPartLength: number;
  minSuffixLength: number;
  /** As it is written, with the spaces and dashes that part its words. */
  written: string;
}
