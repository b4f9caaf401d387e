import { expect } from "vitest";
import * as z from "zod";
import {
  createFleetClient,
  type Drift,
  defineOperation,
  type FleetClient,
  type FleetClientOptions,
  FleetError,
  fleetErrorCodes,
  type Operation,
  operations,
} from "../src/index.ts";
import { samples } from "../src/samples/index.ts";
import { type CannedAnswer, type Chance, cannedFetch, chance, mutate } from "./canned-fetch.ts";

type Name = keyof typeof operations;

// biome-ignore lint/suspicious/noExplicitAny: zod's definitions are a union of some forty shapes
const definitionOf = (schema: z.core.$ZodType): any => schema._zod.def;

const ODD_VALUES: unknown[] = [null, true, -1, 1.5, 1e300, "", "x", [], {}, [[[]]], { constructor: 1 }, "\u0000", "9".repeat(400)];

/** A value with one part, or all of it, replaced by something odd. */
function distort(value: unknown, draw: Chance): unknown {
  if (typeof value !== "object" || value === null || draw.below(4) === 0) return draw.pick(ODD_VALUES);
  if (Array.isArray(value) && value.length > 0) return value.with(draw.below(value.length), distort(value[0], draw));
  const name = draw.pick([...Object.keys(value), "added", "__proto__"]);
  return { ...value, [name]: distort((value as Record<string, unknown>)[name], draw) };
}

const servers = Object.fromEntries(["base", "apiHost", "job", "tacho", "auth"].map((name) => [name, "https://fleet.example.com"]));
const clientWith = (more: Partial<FleetClientOptions>) =>
  createFleetClient({ customerId: "c42", credentials: { clientId: "id", clientSecret: "secret" }, servers, random: () => 0, ...more });

/** A random value of a schema, with most of its optional fields. */
function randomOf(schema: z.core.$ZodType, draw: Chance): unknown {
  const { type, innerType, check, entries, element, shape } = definitionOf(schema);
  if (type === "optional") return draw.below(4) === 0 ? undefined : randomOf(innerType, draw);
  if (type === "string") return draw.pick(["", "a text", "\u{1f69a}\ud800", "2026-11-20"]);
  if (type === "number" || type === "union")
    return type === "union" || check === "number_format" ? draw.below(2 ** 31) - 2 ** 30 : draw.below(1e9) / 1e3;
  if (type === "boolean") return draw.below(2) === 0;
  if (type === "enum") return draw.pick(Object.values(entries));
  if (type === "array") return Array.from({ length: draw.below(4) }, () => randomOf(element, draw));
  if (type === "object")
    return Object.fromEntries(Object.entries<z.core.$ZodType>(shape).map(([name, field]) => [name, randomOf(field, draw)]));
  if (type === "unknown") return draw.pick(ODD_VALUES);
  throw new TypeError(`no values of type ${type}`);
}

/** A value as the client reads it: null is absent, and a string of digits is not an integer on the wire. */
function asRead(schema: z.core.$ZodType, value: unknown): unknown {
  const { type, innerType, element, shape } = definitionOf(schema);
  if (type === "optional") return asRead(innerType, value);
  if (type === "union") return typeof value === "string" ? false : value;
  if (type === "array" && Array.isArray(value)) return value.map((item) => asRead(element, item));
  if (type !== "object" || typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value).filter(([name, inner]) => !(Object.hasOwn(shape, name) && inner === null));
  return Object.fromEntries(kept.map(([name, inner]) => [name, Object.hasOwn(shape, name) ? asRead(shape[name], inner) : inner]));
}

/** What zod finds wrong, except bounds and patterns, which apply to inputs only (docs/decisions.md). */
const faultsIn = (schema: z.core.$ZodType, value: unknown): z.core.$ZodIssue[] =>
  (z.safeParse(schema, value).error?.issues ?? []).filter(
    (issue) => issue.code !== "invalid_format" && !((issue.code === "too_big" || issue.code === "too_small") && issue.origin !== "int"),
  );

const valueAt = (value: unknown, path: readonly PropertyKey[]) =>
  path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key], value);

/** Compares the client's fast check with zod's on random values of an output, most of them distorted. */
export async function compareChecks(output: Operation["output"], runs: number): Promise<void> {
  const of = { name: "asked", summary: "Read random values", source: "this test", path: "/made-up" };
  const operation = defineOperation({ ...of, method: "GET", servers: ["base"], auth: ["basic"], output, effect: "read" });
  const draw = chance(4);
  let refused = 0;
  for (let run = 0; run < runs; run++) {
    let value = randomOf(output, draw);
    while (draw.below(2) === 0) value = distort(value, draw);
    const body = JSON.stringify(value ?? null);
    const drift: Drift[] = [];
    const fleet = clientWith({ fetch: cannedFetch(() => ({ body })), onDrift: (report) => drift.push(...report.drift) });
    const read = await fleet.request(operation, {}).then(
      (mended: unknown) => ({ mended }),
      (error: unknown) => error,
    );
    if (read instanceof Error) expect(read, body).toMatchObject({ code: "contract" });
    const found = drift.filter(({ kind }) => kind !== "unknown field");
    const wrong = faultsIn(output, asRead(output, JSON.parse(body)));
    expect({ wrong: wrong.length > 0 }, JSON.stringify({ body, wrong, found })).toEqual({
      wrong: read instanceof Error || found.length > 0,
    });
    if (wrong.length > 0) refused++;
    if (read instanceof Error) continue;
    // A repaired value still contains unknown enum values, and still lacks missing fields, on purpose.
    const { mended } = read as { mended: unknown };
    const left = faultsIn(output, mended).filter(({ code, path }) => code !== "invalid_value" && valueAt(mended, path) !== undefined);
    expect(left, body).toEqual([]);
  }
  if (definitionOf(output).type !== "unknown") expect(Math.min(refused, runs - refused)).toBeGreaterThan(runs / 10);
}

async function readAll(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items);
}

/** Every way to read a response, with its operation. */
const readings = Object.values<Operation>(operations).flatMap(({ name, paging, output }) => {
  const operation = name as Name;
  const { input } = samples[operation];
  // biome-ignore lint/suspicious/noExplicitAny: the methods available depend on the operation
  const method = (fleet: FleetClient) => fleet[operation] as any;
  const ways: ((fleet: FleetClient) => Promise<unknown>)[] = [(fleet) => method(fleet)(input)];
  if (paging || output instanceof z.ZodArray) ways.push((fleet) => readAll(method(fleet).iterate(input)));
  if (paging) ways.push((fleet) => readAll(method(fleet).pages(input)));
  return ways.map((read) => [operation, read] as const);
});

const TOKEN = { success: true, accessToken: "T1", token_type: "bearer", expires_in: 3600 };
const ERROR = [{ errorCode: 7, errorMessage: "no such thing", offendingFields: ["id", "name"] }];

function goodBody(name: Name): unknown {
  const { output, undocumented }: Operation = operations[name];
  if (name === "requestAccessToken") return TOKEN;
  const body = undocumented ? [{ id: "a", name: "b", list: [1, { c: null }] }] : samples[name].output;
  // Several records, so that a stream has something to split.
  return output._zod.def.type === "array" && Array.isArray(body) ? [...body, { serialNumber: 5 }, ...body] : body;
}

const STATUSES =
  "200 200 200 200 200 201 202 204 226 299 300 301 302 304 307 400 401 401 403 404 408 409 418 422 429 451 500 502 503 504 599".split(" ");
const HEADERS: Record<string, string>[] = [
  ...[{}, {}, { "content-type": "text/html" }, { "content-type": "application/json; charset=utf-16" }, { "content-length": "12" }],
  ...["0", "-5", "99999999999999999999", "\u00ff".repeat(50)].map((value) => ({ "retry-after": value })),
  { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT", date: "nonsense" },
  { location: "https://elsewhere.example.com/" },
];

function drawAnswer(good: unknown, draw: Chance): CannedAnswer {
  const status = Number(draw.pick(STATUSES));
  let value = status < 300 ? good : draw.pick([ERROR, ERROR[0], good]);
  while (draw.below(2) === 0) value = distort(value, draw);
  let body = new TextEncoder().encode(JSON.stringify(value) ?? "");
  while (draw.below(2) === 0) body = mutate(body, draw);
  return { status, headers: draw.pick(HEADERS), body, piece: draw.pick([1, 100, 100, 1_000, 1_000, 65_536]), breaks: draw.below(12) === 0 };
}

/** How a run ended: a result, or the code of a FleetError. Anything else is a bug. */
async function endOf(run: number): Promise<string> {
  const draw = chance(4_000_012 + run);
  const [name, read] = draw.pick(readings);
  let requests = 0;
  const fetch = cannedFetch((url) => {
    // Random pages could go on for a long time.
    if (++requests > 20) return { body: "" };
    const forToken = url.endsWith("/accessToken");
    if (forToken && name !== "requestAccessToken" && draw.below(3) > 0) return { body: JSON.stringify(TOKEN) };
    return drawAnswer(goodBody(forToken ? "requestAccessToken" : name), draw);
  });
  const validation = draw.pick(["tolerant", "tolerant", "tolerant", "strict"] as const);
  return read(clientWith({ fetch, validation, onDrift: () => {}, timeout: 5_000, retries: draw.below(2) })).then(
    () => "result",
    (error) => {
      if (error instanceof FleetError && Object.hasOwn(fleetErrorCodes, error.code)) return error.code;
      throw new Error(`run ${run}, ${name}: ${error instanceof Error ? error.stack : String(error)}`);
    },
  );
}

const ENDS = "conflict contract forbidden network notFound rateLimited rejected result timeout unauthorized unknownOutcome upstream";

/** Makes calls with randomly mutated responses and checks how they end. */
export async function tryMutatedResponses(runs: number): Promise<void> {
  const ends: string[] = [];
  for (let run = 0; run < runs; run += 50) ends.push(...(await Promise.all(Array.from({ length: 50 }, (_, at) => endOf(run + at)))));
  // If all runs ended alike, the mutations would test nothing.
  expect([...new Set(ends)].sort()).toEqual(ENDS.split(" "));
  expect(ends.filter((end) => end === "result").length).toBeGreaterThan(runs / 20);
}
