import { type DriftReport, defineOperation, type Operation, previewRequest } from "@fleetwire/core";
import * as z from "zod";
import { FIXTURE_CUSTOMER } from "../src/fixtures/stand-ins.ts";
import { failureOf, probedClient } from "./client-outcomes.ts";
import type { Outcome } from "./outcome.ts";
import { base, INPUTS, RULED, ruled, send } from "./own-inputs.ts";

const read = (output: z.ZodType): Operation => defineOperation({ ...base, name: "readOwn", method: "GET", path: "/own", output });

const refusesAll = z.string().refine(() => {
  throw new Error("a rule of the caller's own");
});

const Tree = z.object({
  name: z.string().optional(),
  get in() {
    return z.array(Tree).optional();
  },
});

const Ping = z.object({
  get pong() {
    return Pong.optional();
  },
});
const Pong = z.object({ name: z.string().optional(), ping: Ping.optional() });

/** One field for each kind of schema, some of which must be there and some of which may be null. */
const Everything = z.object({
  text: z.string().optional(),
  words: z.string().min(2).nullable(),
  whole: z.int().optional(),
  amount: z.number().max(1).nullable().optional(),
  flag: z
    .boolean()
    .refine((flag) => !flag)
    .optional(),
  kind: z.enum(["A", "B"]).optional(),
  big: z.union([z.int(), z.string()]).meta({ format: "int64" }).optional(),
  otherBig: z.union([z.int(), z.string()]).meta({ format: "int64" }).optional(),
  any: z.any().optional(),
  unknown: z.unknown().optional(),
  one: z.literal("x").optional(),
  map: z.record(z.string(), z.int()).optional(),
  pair: z.tuple([z.string(), z.int()]).optional(),
  either: z.union([z.string(), z.boolean()]).optional(),
  texts: z.array(z.string().nullable()).optional(),
  wholes: z.array(z.int()),
  ruled: z.tuple([refusesAll]).optional(),
  inner: z.object({ deep: z.object({ a: z.int(), b: z.int().optional() }) }).optional(),
  tree: Tree.optional(),
});

const big = z.union([z.int(), z.string()]).meta({ format: "int64" }).optional();

/** Fields under names that only a caller's own output has. */
const Named = z.object({ "a.b": big, axb: big, "a(b": big, "two  blanks": z.int().optional(), ["n".repeat(310)]: z.int().optional() });

const VALUES: readonly string[] = [
  "null",
  "true",
  "1",
  "1.5",
  "1e20",
  "9007199254740993",
  '"x"',
  '"A"',
  '"12"',
  '"9007199254740993"',
  "[]",
  '["a", 1]',
  '["a", null, 1, null, "b"]',
  "[1, 2, 3]",
  "{}",
  '{"a": 1}',
  '{"a": "b"}',
  '{"deep": {"b": 2}}',
  '{"pong": {"name": 1, "ping": {"pong": {"name": 2}}}}',
  '{"pong": {"name": "a", "ping": {"pong": {"name": "b", "more": 1}}}}',
  '{"name": "n", "in": [{"name": 1, "in": [{"name": 2, "leaf": 3}]}]}',
  '{"name": "n", "in": [{"name": "m", "in": [{"name": "o", "leaf": 3}]}]}',
];

const WHOLE: readonly string[] = [
  '{"words": "w", "wholes": [], "text": "t", "any": 1, "whole": 1}',
  '{"wholes": [1, "2", 3], "words": null, "big": 9007199254740993, "otherBig": 9007199254740995, "text": 5, "flag": true, "more": 1, "kind": "C"}',
  '{"wholes": [], "big": 9007199254740993, "otherBig": "9007199254740995"}',
  '{"wholes": [], "big": 9007199254740993, "otherBig": "12", "inner": {"deep": {"big": "9007199254740993"}}}',
  '{"wholes": [], "big": [9007199254740993], "otherBig": -9007199254740993}',
];

const NAMED: readonly string[] = [
  '{"a.b": 9007199254740993, "axb": "12", "a(b": -9007199254740993}',
  `{"two  blanks": "x", "${"n".repeat(310)}": "x", "more  blanks": 1, "${"m".repeat(310)}": 1, "of replayclient": 1, "\\u0007\\n": 1}`,
];

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  text: z.string(),
  number: z.number(),
  whole: z.int(),
  flag: z.boolean(),
  enum: z.enum(["A", "x"]),
  literal: z.literal("x"),
  any: z.any(),
  unknown: z.unknown(),
  nothing: z.void(),
  record: z.record(z.string(), z.int()),
  tuple: z.tuple([z.string(), z.int()]),
  texts: z.array(z.string()),
  "texts or null": z.array(z.string().nullable()),
  "wholes, some absent": z.array(z.int().optional()),
  tree: Tree,
  "shapes that hold each other": Ping,
  nullable: z.object({ a: z.int() }).nullable(),
};

/** Schemas that would make an output from an answer. */
const MADE: Readonly<Record<string, z.ZodType>> = {
  transform: z.transform((value: unknown) => value),
  pipe: z.string().transform(Number),
  default: z.string().default("x"),
  prefault: z.string().prefault("x"),
  catch: z.string().catch("x"),
  "within a list": z.array(z.object({ a: z.string().default("x") })),
};

async function answered(operation: Operation, body: string, input: unknown = {}): Promise<unknown> {
  const drift: DriftReport[] = [];
  let sent: unknown;
  const fleet = probedClient({
    onDrift: (report) => drift.push(report),
    fetch: async (url, init = {}) => {
      const headers = new Headers(init.headers);
      headers.delete("authorization");
      sent = { method: init.method, url: String(url), headers: [...headers], body: init.body };
      return new Response(body);
    },
  });
  const seen = await fleet.request(operation, input).then(
    (value) => ({ value }),
    (error: unknown) => ({ failure: failureOf(error) }),
  );
  return { ...seen, ...(drift.length > 0 && { drift }), ...(operation.method !== "GET" && { sent }) };
}

function previewOf(operation: Operation, input: unknown): unknown {
  try {
    return previewRequest(operation, input, FIXTURE_CUSTOMER);
  } catch (error) {
    return failureOf(error);
  }
}

/** What becomes of operations of one's own, which may take and answer what none of the interface's does. */
export async function* ownOutcomes(): AsyncGenerator<Outcome> {
  for (const field of Object.keys(Everything.shape))
    for (const value of VALUES)
      yield [`${field}: ${value}`, await answered(read(Everything), `{"wholes": [], "words": "w", "${field}": ${value}}`)];
  for (const [at, body] of WHOLE.entries()) yield [`whole ${at}`, await answered(read(Everything), body)];
  for (const [at, body] of NAMED.entries()) yield [`named ${at}`, await answered(read(Named), body)];
  for (const [name, schema] of Object.entries(SCHEMAS))
    for (const body of VALUES) yield [`${name} is ${body}`, await answered(read(schema), body)];
  for (const [name, schema] of Object.entries(MADE)) yield [`made by ${name}`, await answered(read(schema), "{}")];
  const refusal = () => {
    throw new Error("a rule of the caller's own");
  };
  yield ["a rule of refusals that throws", await answered({ ...read(z.object({})), refusal }, "{}")];
  for (const contentType of ["application/json", "application/x-www-form-urlencoded", undefined] as const)
    for (const [at, input] of INPUTS.entries()) {
      yield [`sent ${at} as ${contentType}`, await answered(send(contentType), "", input)];
      yield [`preview ${at} as ${contentType}`, previewOf(send(contentType), input)];
    }
  yield ["preview without a body", previewOf(read(z.void()), {})];
  for (const [at, input] of RULED.entries()) yield [`ruled ${at}`, await answered(ruled, "", input)];
}
