import { defineOperation, type Operation } from "@fleetwire/core";
import * as z from "zod";

/** What operations of one's own have in common. */
export const base = { summary: "Of one's own", source: "our own notes", servers: ["base"], auth: ["basic"], effect: "read" } as const;

const circle: Record<string, unknown> = {};
circle["in"] = circle;

/** Takes what no operation of the interface does, and sends it in any form. */
export const send = (contentType: "application/json" | "application/x-www-form-urlencoded" | undefined): Operation =>
  defineOperation({
    ...base,
    name: "sendOwn",
    method: "POST",
    path: "/own/{day}/of/{vehicle}",
    params: { day: z.string(), vehicle: z.string() },
    query: { tags: z.array(z.string()).optional(), free: z.record(z.string(), z.unknown()).optional(), flag: z.boolean().optional() },
    body: { note: z.unknown(), count: z.int().optional() },
    output: z.void(),
    ...(contentType && { contentType }),
  });

export const INPUTS: readonly Record<string, unknown>[] = [
  { day: "2026/11", vehicle: "v 1", note: "n", count: 2, tags: ["a,b", "ü"], flag: false },
  { day: "d", vehicle: "..", note: "n" },
  { day: "d", vehicle: "\ud800", note: "n" },
  { day: "d", vehicle: "v", note: "\ud800", tags: ["\ud800"] },
  { day: "d", vehicle: "v", note: 5n },
  { day: "d", vehicle: "v", note: circle },
  { day: "d", vehicle: "v", note: undefined, count: undefined },
  { day: "d", vehicle: "v", note: null, free: { a: [1, [2, 3]], b: { c: "d" }, e: undefined, f: null, "g h": "i&j" } },
];

/** Takes fields under rules that no operation of the interface has. */
export const ruled = defineOperation({
  ...base,
  name: "ruleOwn",
  method: "POST",
  path: "/ruled",
  query: { names: z.string().optional(), name: z.string().optional() },
  body: {
    text: z.string().min(2).max(3).optional(),
    line: z.string().min(1).max(1).optional(),
    list: z.array(z.int()).min(2).max(3).optional(),
    single: z.array(z.int()).min(1).max(1).optional(),
    amount: z.number().min(2).max(3).optional(),
    big: z.bigint().optional(),
    day: z.date().optional(),
    one: z.literal([1, "x", null]).optional(),
    coded: z.string().regex(/^c/).optional(),
    keyed: z.record(z.string().regex(/^k/), z.int()).optional(),
    strict: z.strictObject({ a: z.int().optional() }).optional(),
    loose: z.object({ a: z.int().optional(), b: z.int().optional() }).optional(),
    mapped: z.map(z.string(), z.int()).optional(),
    either: z.union([z.int(), z.object({ a: z.int() })]).optional(),
  },
  output: z.void(),
});

class Given {
  name = "n";
  b = 1;
}

export const RULED: readonly unknown[] = [
  ...["", "a", "ab", "abc", "abcd"].flatMap((text) => [{ text }, { line: text }]),
  ...[[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4]].flatMap((list) => [{ list }, { single: list }]),
  ...[1, 2, 3, 4].map((amount) => ({ amount })),
  ...["big", "day", "one", "coded", "keyed", "strict", "loose", "mapped", "either"].flatMap((field) => [
    { [field]: "b" },
    { [field]: 5 },
    { [field]: { k: 1, b: "c" } },
  ]),
  { loose: { b: 2, z: 3, a: 1 }, name: "x", names: "y" },
  { loose: new Given(), strict: Object.assign(Object.create(null), { a: 1 }) },
  new Given(),
  new Date(0),
  { strict: { Name: 1, texte: 2 } },
  ...[
    "Name",
    "na",
    "n",
    "nam",
    "names2",
    "NAMES",
    "n-a-m-e",
    "strct",
    "striict",
    "strixt",
    "strci",
    "strictly",
    "kyed",
    "keyde",
    "lists of",
  ].map((name) => ({ [name]: 1 })),
  ...[59, 60, 61].map((length) => ({ ["q".repeat(length)]: 1 })),
  ...[9, 10, 11].map((count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`no${at}`, at]))),
];
