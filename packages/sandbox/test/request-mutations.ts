import { seededRandom } from "../../../tests/vitest/seeded-random.ts";
import type { SentRequest } from "./sandbox-caller.ts";

/** Returns a whole number from 0 (inclusive) to `below` (exclusive). */
export type Dice = (below: number) => number;

export function dice(seed: number): Dice {
  const random = seededRandom(seed);
  return (below) => Math.floor(random() * below);
}

export interface Draft {
  method: string;
  url: string;
  headers: [string, string][];
  body: string | Uint8Array | undefined;
}

type Mutation = (draft: Draft, roll: Dice) => void;

const oneOf = <T>(list: readonly T[], roll: Dice): T => list[roll(list.length)] as T;

const STRANGE_TEXTS = [
  ...["", " ", "-1", "0", "1e400", "9007199254740993", "99999999999999999999", "-0", "NaN", "null", "true", "[]", "{}", ",", ",,,", "a,b"],
  ...["\u0000", "\u0007\u001b[2J", "\r\nX-Injected: yes", "\ud800", "Łódź, ул. Мира 7", "🚚".repeat(40), "\u202eevil", "é".repeat(256)],
  ...["__proto__", "constructor", "toString", "../../etc/passwd", "%00", "%E0%A4%A", "'; DROP TABLE jobs; --", "<script>"],
  ...["2026-02-30T00:00:00", "9999-12-31T23:59:59", "0000-01-01T00:00:00", "+275760-09-13T00:00:00Z", "$UNKNOWN", "x".repeat(6000)],
];
const STRANGE_VALUES: readonly unknown[] = [
  ...STRANGE_TEXTS,
  ...[0, -1, 1.5, 2 ** 31, -(2 ** 53), 1e308, -1e-320, 181, true, false, null, [], {}, [[]], [null], [{}], [1, "a"], { name: 1 }],
  ...[Array(500).fill("a"), { toString: 1, valueOf: null }, { length: 3 }],
];
/** JSON values that JSON.stringify cannot produce. */
const STRANGE_TOKENS = [
  ...["1e999", "-1e999", "01", "+1", "NaN", "undefined", "'a'", '"\\ud800"', '"\\u0000"'],
  ...['{"__proto__":{"isAdmin":true}}', '{"a":1,"a":2}'],
  ...[40, 2000, 60_000].flatMap((depth) => ["[".repeat(depth) + "]".repeat(depth), `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`]),
];

type Fields = Record<string, unknown>;

/** Changes a field of a JSON body or of a nested object. */
function onField(change: (fields: Fields, name: string, roll: Dice) => void): Mutation {
  return (draft, roll) => {
    // An earlier mutation may have broken the body or nested it too deeply; leave it.
    if (typeof draft.body !== "string" || draft.body.length > 30_000) return;
    let root: unknown;
    try {
      root = JSON.parse(draft.body);
    } catch {}
    if (typeof root !== "object" || root === null) return;
    let inner = root as Fields;
    for (let depth = roll(3); depth > 0; depth--) {
      const below = Object.values(inner).filter((value): value is Fields => typeof value === "object" && value !== null);
      if (below.length > 0) inner = oneOf(below, roll);
    }
    const names = Object.keys(inner);
    if (names.length > 0) change(inner, oneOf(names, roll), roll);
    draft.body = JSON.stringify(root);
  };
}

function onText(change: (text: string, at: number, roll: Dice) => string | Uint8Array): Mutation {
  return (draft, roll) => {
    if (typeof draft.body === "string" && draft.body !== "") draft.body = change(draft.body, roll(draft.body.length), roll);
  };
}

function flipBit(text: string, _at: number, roll: Dice): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  const at = roll(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << roll(8));
  return bytes;
}

/** Replaces a value with a token, or adds it under a possibly duplicate name. */
function placeToken(text: string, _at: number, roll: Dice): string {
  const values = [...text.matchAll(/:("[^"]*"|-?\d+)/g)];
  if (values.length === 0) return text;
  const [{ index, 0: value }, token] = [oneOf(values, roll), oneOf(STRANGE_TOKENS, roll)];
  const name = oneOf(["__proto__", "constructor", "address", "id", "sort", ""], roll);
  if (roll(3) === 0) return text.replace("{", () => `{"${name}":${token},`);
  return `${text.slice(0, index)}:${token}${text.slice(index + value.length)}`;
}

const BODIES = [undefined, "", "null", "[]", '"text"', "0", "grant_type=client_credentials&grant_type=x", "\ufeff{}"];
const onBody: readonly Mutation[] = [
  onField((fields, name) => delete fields[name]),
  onField((fields, name, roll) => {
    const other = oneOf(Object.keys(fields), roll);
    [fields[name], fields[other]] = [fields[other], fields[name]];
  }),
  onField((fields, name, roll) => Object.assign(fields, { [name]: oneOf(STRANGE_VALUES, roll) })),
  onField((fields, name, roll) => {
    const value = fields[name];
    fields[name] = oneOf([[value], { [name]: value }, String(value), Number(value), [value, value]], roll);
  }),
  onField((fields, name, roll) => Object.assign(fields, { [oneOf(STRANGE_TEXTS, roll)]: fields[name] })),
  onText(placeToken),
  onText((text, at) => text.slice(0, at)),
  onText((text, at, roll) => text.slice(0, at) + text.slice(roll(text.length))),
  onText((text, at, roll) => text.slice(0, at) + oneOf(STRANGE_TEXTS, roll) + text.slice(at)),
  onText(flipBit),
  (draft, roll) => Object.assign(draft, { body: oneOf(BODIES, roll) }),
];

function onHeader(change: (value: string, roll: Dice) => string): Mutation {
  return ({ headers }, roll) => {
    const header = headers.length > 0 ? oneOf(headers, roll) : undefined;
    if (header) header[1] = change(header[1], roll);
  };
}

const TYPES = ["text/plain", "application/json; charset=utf-16", "application/json;", "*/*", "multipart/form-data; boundary=x", "json"];
const onHeaders: readonly Mutation[] = [
  ({ headers }, roll) => headers.splice(roll(headers.length), 1),
  ({ headers }, roll) => headers.length > 0 && headers.push(oneOf(headers, roll)),
  onHeader((_, roll) => oneOf(STRANGE_TEXTS, roll)),
  onHeader((value, roll) => oneOf([value.slice(0, roll(value.length)), value.toUpperCase(), `${value}=`, value.replace(" ", "")], roll)),
  (draft, roll) => {
    draft.headers = [...draft.headers.filter(([name]) => name !== "Content-Type"), ["Content-Type", oneOf(TYPES, roll)]];
  },
  ({ headers }, roll) => headers.push(["Content-Length", oneOf(["0", "5", "99999999999", "-1", "x"], roll)]),
];

const onQuery: Mutation = (draft, roll) => {
  const [path = "", search = ""] = draft.url.split("?");
  const pairs = search === "" ? [] : search.split("&");
  const name = pairs.length > 0 ? (oneOf(pairs, roll).split("=")[0] ?? "") : "pageSize";
  const strange = `${name}=${new URLSearchParams({ "": oneOf(STRANGE_TEXTS, roll) }).toString().slice(1)}`;
  const dropped = pairs.toSpliced(roll(pairs.length), 1);
  const swapped = pairs.map((pair, at) => `${pair.split("=")[0]}=${pairs.at(at - 1)?.split("=")[1]}`);
  const changes = [dropped, swapped, [...pairs, ...pairs], [...pairs, strange], [strange], [...dropped, strange], [...pairs, "&=&%"]];
  draft.url = `${path}?${oneOf(changes, roll).join("&")}`;
};

const onLine: readonly Mutation[] = [
  (draft, roll) => {
    draft.method = oneOf(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND", "get"], roll);
  },
  (draft, roll) => {
    const start = new URL(draft.url).origin.length + 1;
    const at = start + roll(draft.url.length - start);
    const escaped = `%${draft.url.charCodeAt(at).toString(16).padStart(2, "0")}`;
    const pieces = [escaped, "%", "%zz", "%00", "%2f", "%E0%A4%A", "/", "//", "/../", "/./", ";", "é", "", draft.url.slice(at)];
    draft.url = draft.url.slice(0, at) + oneOf(pieces, roll) + draft.url.slice(at + 1);
  },
];

const MUTATIONS: readonly (readonly Mutation[])[] = [onBody, onBody, onBody, onHeaders, [onQuery], onLine];

/** A valid request with one to three mutations. */
export function mutated({ method, url, headers, text }: SentRequest, roll: Dice): Draft {
  const draft: Draft = { method, url, headers: Object.entries(headers), body: text };
  for (let times = 1 + roll(3); times > 0; times--) {
    const kind = oneOf(MUTATIONS, roll);
    oneOf(draft.body === undefined && kind === onBody ? [onQuery] : kind, roll)(draft, roll);
  }
  return draft;
}
