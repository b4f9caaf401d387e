import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "vitest";
import * as z from "zod";
import { createFleetClient, type FleetClient, FleetError, fleetErrorCodes, type Operation, operations } from "../src/index.ts";
import { samples } from "../src/samples/index.ts";
import { type CannedAnswer, type Chance, cannedFetch, chance, mutate } from "./canned-fetch.ts";

const SEED = 4;
const MOST_REQUESTS = 20;
const AT_A_TIME = 50;
const ENDS = "conflict contract forbidden network notFound rateLimited rejected result timeout unauthorized unknownOutcome upstream".split(
  " ",
);

async function readAll(items: AsyncIterable<unknown>): Promise<unknown[]> {
  const read: unknown[] = [];
  for await (const item of items) read.push(item);
  return read;
}

type Reading = [keyof typeof operations, (fleet: FleetClient) => Promise<unknown>];

/** Every way to read a response, with its operation. */
const readings = Object.values<Operation>(operations).flatMap(({ name, paging, output }): Reading[] => {
  const operation = name as keyof typeof operations;
  const { input } = samples[operation];
  // biome-ignore lint/suspicious/noExplicitAny: the methods available depend on the operation
  const method = (fleet: FleetClient) => fleet[operation] as any;
  return [
    [operation, (fleet) => method(fleet)(input)],
    ...(paging || output instanceof z.ZodArray ? [[operation, (fleet) => readAll(method(fleet).iterate(input))] satisfies Reading] : []),
    ...(paging ? [[operation, (fleet) => readAll(method(fleet).pages(input))] satisfies Reading] : []),
  ];
});

const TOKEN = { success: true, accessToken: "T1", token_type: "bearer", expires_in: 3600 };
const ERROR = [{ errorCode: 7, errorMessage: "no such thing", offendingFields: ["id", "name"] }];

function goodBody(name: keyof typeof operations): unknown {
  const { output, undocumented }: Operation = operations[name];
  if (name === "requestAccessToken") return TOKEN;
  const body = undocumented ? [{ id: "a", name: "b", list: [1, { c: null }] }] : samples[name].output;
  // Several records, so that a stream has something to split.
  return output._zod.def.type === "array" && Array.isArray(body) ? [...body, { serialNumber: 5 }, ...body] : body;
}

const ODD_VALUES: unknown[] = [null, true, -1, 1.5, 1e300, "", "x", [], {}, [[[]]], { constructor: 1 }, "\u0000", "9".repeat(400)];

/** A value with one part, or all of it, replaced by something odd. */
function distort(value: unknown, draw: Chance): unknown {
  if (typeof value !== "object" || value === null || draw.below(4) === 0) return draw.pick(ODD_VALUES);
  if (Array.isArray(value) && value.length > 0) return value.with(draw.below(value.length), distort(value[0], draw));
  const name = draw.pick([...Object.keys(value), "added", "__proto__"]);
  return { ...value, [name]: distort((value as Record<string, unknown>)[name], draw) };
}

const STATUSES = [
  200, 200, 200, 200, 200, 201, 202, 204, 226, 299, 300, 301, 302, 304, 307, 400, 401, 401, 403, 404, 408, 409, 418, 422, 429, 451, 500,
  502, 503, 504, 599,
];

const HEADERS: Record<string, string>[] = [
  ...[{}, {}, { "content-type": "text/html" }, { "content-type": "application/json; charset=utf-16" }, { "content-length": "12" }],
  ...["0", "-5", "99999999999999999999", "\u00ff".repeat(50)].map((value) => ({ "retry-after": value })),
  { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT", date: "nonsense" },
  { location: "https://elsewhere.example.com/" },
];

function drawAnswer(good: unknown, draw: Chance): CannedAnswer {
  const status = draw.pick(STATUSES);
  let value = status < 300 ? good : draw.pick([ERROR, ERROR[0], good]);
  while (draw.below(2) === 0) value = distort(value, draw);
  let body = new TextEncoder().encode(JSON.stringify(value) ?? "");
  while (draw.below(2) === 0) body = mutate(body, draw);
  return { status, headers: draw.pick(HEADERS), body, piece: draw.pick([1, 100, 100, 1_000, 1_000, 65_536]), breaks: draw.below(12) === 0 };
}

/** How a run ended: a result, or the code of a FleetError. Anything else is a bug. */
async function endOf(run: number): Promise<string> {
  const draw = chance(SEED * 1_000_003 + run);
  const [name, read] = draw.pick(readings);
  let requests = 0;
  const fleet = createFleetClient({
    customerId: "c42",
    credentials: { clientId: "id", clientSecret: "secret" },
    servers: Object.fromEntries(["base", "apiHost", "job", "tacho", "auth"].map((server) => [server, "https://fleet.example.com"])),
    fetch: cannedFetch((url) => {
      // Random pages could go on for a long time.
      if (++requests > MOST_REQUESTS) return { body: "" };
      const forToken = url.endsWith("/accessToken");
      if (forToken && name !== "requestAccessToken" && draw.below(3) > 0) return { body: JSON.stringify(TOKEN) };
      return drawAnswer(goodBody(forToken ? "requestAccessToken" : name), draw);
    }),
    validation: draw.pick(["tolerant", "tolerant", "tolerant", "strict"] as const),
    onDrift: () => {},
    timeout: 5_000,
    retries: draw.below(2),
    random: () => 0,
  });
  try {
    await read(fleet);
    return "result";
  } catch (error) {
    if (error instanceof FleetError && Object.hasOwn(fleetErrorCodes, error.code)) return error.code;
    throw new Error(`run ${run}, ${name}: ${error instanceof Error ? error.stack : String(error)}`);
  }
}

function heapAfterCollection(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed;
}

/** Makes calls with randomly mutated responses and checks how they end. */
export async function tryMutatedResponses(runs: number): Promise<void> {
  const ends = new Map<string, number>();
  let heapBefore: number | undefined;
  for (let run = 0; run < runs; run += AT_A_TIME) {
    // One-time allocations are done after the first thousand.
    if (run === 1_000) heapBefore = heapAfterCollection();
    const some = await Promise.all(Array.from({ length: Math.min(AT_A_TIME, runs - run) }, (_, at) => endOf(run + at)));
    for (const end of some) ends.set(end, (ends.get(end) ?? 0) + 1);
  }
  if (heapBefore !== undefined) expect(heapAfterCollection() - heapBefore).toBeLessThan(48e6);
  // If all runs ended alike, the mutations would test nothing.
  expect([...ends.keys()].sort()).toEqual(ENDS);
  expect(ends.get("result")).toBeGreaterThan(runs / 20);
}
