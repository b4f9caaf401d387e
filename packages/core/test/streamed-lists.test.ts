import { describe, expect, it } from "vitest";
import { createFleetClient, type DriftReport, type FleetClientOptions, FleetError, type LivePosition } from "../src/index.ts";
import { type CannedAnswer, cannedFetch, chance, mutate } from "./canned-fetch.ts";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";
import { type Answer, endlessBody, holdTimeouts, truncatedBody, unfinished } from "./recording-server.ts";

interface End {
  records: LivePosition[];
  drift: DriftReport[];
  code?: string | undefined;
}

/** Reads a response whole or as a stream. */
async function read(answer: CannedAnswer, how: "whole" | "stream", more: Partial<FleetClientOptions> = {}): Promise<End> {
  const drift: DriftReport[] = [];
  const fleet = createFleetClient({
    customerId: "c42",
    credentials: { clientId: "id", clientSecret: "secret" },
    servers: { base: "https://fleet.example.com" },
    fetch: cannedFetch(() => answer),
    onDrift: (report) => drift.push(report),
    retries: 0,
    ...more,
  });
  const records: LivePosition[] = [];
  try {
    if (how === "whole") records.push(...(await fleet.listLivePositions()));
    else for await (const record of fleet.listLivePositions.iterate()) records.push(record);
    return { records, drift };
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    return { records, drift, code: error.code };
  }
}

const RECORDS = [
  { assetId: "v1", assetName: "Łódź \u{1f69a} é", speed: 82.5, tags: ["a,b]", 'say "hi"', "back\\slash"], privacy: false },
  { assetId: "v2", eventType: "flying", speed: "fast", extra: { nested: [[1, [2]], { a: "},{" }] }, road: null },
  {},
  null,
  { assetName: "[{,}]", city: "\u2028\u0000\t", serialNumber: 356938035643809, activeFaultCodes: [] },
];
const LIST = JSON.stringify(RECORDS).replace("356938035643809", "9007199254740993");
const SPACED = JSON.stringify(RECORDS, null, "\t\r\n ");

const lists: [what: string, body: string][] = [
  ["records of all kinds", LIST],
  ["whitespace everywhere", ` \n${SPACED}\r\n\t `],
  ["a byte order mark", `\ufeff${LIST}`],
  ["an empty list", "[]"],
  ["nothing", ""],
  ["an object", '{"items":[]}'],
  ["HTML", "<html>[]</html>"],
  ["two lists", "[][]"],
  ["no comma", "[{}{}]"],
  ["a list that is not closed", LIST.slice(0, -1)],
  ["a control character in a string", '[{"road":"a\nb"}]'],
  ["the same name twice", '[{"speed":1,"speed":2}]'],
  ["deep nesting", `[{"a":${"[".repeat(500)}${"]".repeat(500)}}]`],
];

/** If the whole list is rejected, a stream has already yielded the records before the error. */
function expectSame(stream: End, whole: End, told: string): void {
  if (whole.code === undefined) expect(stream, told).toEqual(whole);
  else expect(stream.code, told).toBe(whole.code);
}

const RUNS = 300;
const PIECES = [1, 2, 3, 5, 64, 1000, Number.POSITIVE_INFINITY];

describe("a streamed list ends like one read whole", () => {
  it.each(lists)("%s", async (_, body) => {
    const whole = await read({ body }, "whole");
    for (const piece of PIECES) expectSame(await read({ body, piece }, "stream"), whole, `pieces of ${piece}`);
  });

  it("with bytes that are not UTF-8", async () => {
    for (const odd of [[0xff], [0xc3], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x9a], [0x80]]) {
      const body = Uint8Array.from([...Buffer.from('[{"road":"x'), ...odd, ...Buffer.from('"},{"city":"'), ...odd, ...Buffer.from('y"}]')]);
      const whole = await read({ body }, "whole");
      expect(whole.records).toHaveLength(2);
      for (const piece of PIECES) expect(await read({ body, piece }, "stream")).toEqual(whole);
    }
  });

  it("with one or more mutations, in chunks of any size", async () => {
    const draw = chance(1);
    const originals = [LIST, SPACED, `\ufeff${LIST}`].map((text) => new TextEncoder().encode(text));
    let failed = 0;
    for (let run = 0; run < RUNS; run++) {
      let body = mutate(draw.pick(originals), draw);
      while (draw.below(3) === 0) body = mutate(body, draw);
      const whole = await read({ body }, "whole");
      const stream = await read({ body, piece: draw.pick(PIECES) }, "stream");
      expectSame(stream, whole, `run ${run}: ${new TextDecoder().decode(body)}`);
      if (whole.code !== undefined) failed++;
    }
    expect(failed).toBeGreaterThan(RUNS / 6);
    expect(failed).toBeLessThan(RUNS * 0.9);
  });

  it("if the connection breaks", async () => {
    for (const cut of [0, 1, 40, 200, LIST.length]) {
      const answer = { body: LIST.slice(0, cut), breaks: true };
      expect((await read(answer, "whole")).code).toBe("network");
      for (const piece of PIECES) expect((await read({ ...answer, piece }, "stream")).code).toBe("network");
    }
  });
});

describe("a stream of records", () => {
  it("reports drift once, even if the loop is left early", async () => {
    const drift: DriftReport[] = [];
    const body = JSON.stringify(Array.from({ length: 50 }, () => ({ speed: "x" })));
    const { fleet } = await fleetUnderTest({ onDrift: (report) => drift.push(report), fetch: cannedFetch(() => ({ body, piece: 33 })) });
    let read = 0;
    for await (const _ of fleet.listLivePositions.iterate()) if (++read === 5) break;
    expect(drift).toEqual([
      { operation: "listLivePositions", drift: [{ path: "$[*].speed", kind: "wrong type", count: expect.any(Number) }] },
    ]);
    expect(drift[0]?.drift[0]?.count).toBeLessThan(10);
  });

  it("fails in strict mode at the record that differs", async () => {
    const body = '[{"assetId":"v1"},{"assetId":"v2"},{"speed":"x"},{"assetId":"v4"}]';
    const { records, drift, code } = await read({ body, piece: 18 }, "stream", { validation: "strict" });
    expect({ records, drift: drift.length, code }).toEqual({ records: [{ assetId: "v1" }, { assetId: "v2" }], drift: 1, code: "contract" });
  });

  it("rejects a record that would fill the memory", async () => {
    const open = new TextEncoder().encode(`[{"road":"${"x".repeat(65_536)}`);
    const more = new TextEncoder().encode("x".repeat(65_536));
    let sent = 0;
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(sent++ === 0 ? open : more) });
    const { fleet } = await fleetUnderTest({ fetch: async () => new Response(endless) });
    expect((await failure(fleet.listLivePositions.iterate().next())).code).toBe("contract");
    expect(sent).toBeLessThan(400);
  });
});

describe("a stream over a real connection", () => {
  const first = '[{"assetId":"v1"},{"assetId":"v2"},';

  it.each(unfinished)("ends after $what: $code, with the status if a response had begun", async ({ answer, code }) => {
    holdTimeouts();
    const { fleet } = await fleetUnderTest({ api: [answer] });
    const error = await failure(fleet.listLivePositions.iterate().next());
    expect([error.code, error.status]).toEqual([code, [endlessBody, truncatedBody].includes(answer as never) ? 200 : undefined]);
  });

  /** Sends the beginning of a list, then this piece every 20 milliseconds until the reader leaves. */
  const trickle =
    (piece: string): Answer =>
    (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('[{"assetId":"v0"},');
      const timer = setInterval(() => response.write(piece), 20);
      response.once("close", () => clearInterval(timer));
    };

  it("ends if bytes arrive but no record does", async () => {
    const { fleet } = await fleetUnderTest({ api: [trickle(" ")] });
    const records = fleet.listLivePositions.iterate({}, { timeout: 100 });
    expect((await records.next()).value).toEqual({ assetId: "v0" });
    expect(await failure(records.next())).toMatchObject({ code: "timeout", status: 200 });
  });

  it("goes on as long as records arrive, unless totalTimeout is given", async () => {
    const { fleet } = await fleetUnderTest({ api: [trickle('{"assetId":"v"},'), trickle('{"assetId":"v"},')] });
    let read = 0;
    for await (const _ of fleet.listLivePositions.iterate({}, { timeout: 300 })) if (++read === 20) break;
    expect(read).toBe(20);
    const timed = (async () => {
      for await (const _ of fleet.listLivePositions.iterate({}, { totalTimeout: 120 })) read++;
    })();
    expect(await failure(timed)).toMatchObject({ code: "timeout", status: 200 });
  });

  it("counts only the service's silence, not the caller's time", async () => {
    const slow: Answer = (response) => {
      response.write(first);
      setTimeout(() => response.end('{"assetId":"v3"}]'), 20);
    };
    const { fleet } = await fleetUnderTest({ api: [slow] });
    const seen: unknown[] = [];
    for await (const { assetId } of fleet.listLivePositions.iterate({}, { timeout: 200 })) {
      seen.push(assetId);
      await new Promise((resolve) => setTimeout(resolve, 120));
    }
    expect(seen).toEqual(["v1", "v2", "v3"]);
  });

  it("ends immediately when the caller aborts, while waiting and between records", async () => {
    const { fleet } = await fleetUnderTest({ api: [(response) => void response.write(first)] });
    for (const reads of [1, 2]) {
      const caller = new AbortController();
      const records = fleet.listLivePositions.iterate({}, { signal: caller.signal });
      for (let read = 0; read < reads; read++) await records.next();
      const next = records.next();
      caller.abort();
      const ends = [next, records.next()].map(async (end) => {
        const { done, value } = await end.catch(({ code }) => ({ done: false, value: code }));
        return done ? "done" : value;
      });
      expect(await Promise.all(ends)).toEqual(reads === 1 ? [{ assetId: "v2" }, "aborted"] : ["aborted", "done"]);
    }
  });

  it("is closed when the loop is left, and immediately when the caller aborts, even if no further record is read", async () => {
    let closed = 0;
    const answer: Answer = (response) => {
      response.on("close", () => closed++);
      response.write(first);
    };
    const { fleet } = await fleetUnderTest({ api: [answer] });
    for await (const _ of fleet.listLivePositions.iterate()) break;
    await expect.poll(() => closed).toBe(1);
    const caller = new AbortController();
    const records = fleet.listLivePositions.iterate({}, { signal: caller.signal });
    await records.next();
    caller.abort();
    await expect.poll(() => closed).toBe(2);
    expect((await failure(records.next())).code).toBe("aborted");
  });

  it("is retried before it starts, and never after", async () => {
    const good = { body: [{ assetId: "v1" }] };
    const { fleet, api } = await fleetUnderTest({ api: [{ status: 503 }, good], retries: 1 });
    expect((await fleet.listLivePositions.iterate().next()).value).toEqual({ assetId: "v1" });
    expect(api.requests).toHaveLength(2);
    const broken = await fleetUnderTest({ api: [truncatedBody, good], retries: 1 });
    expect((await failure(broken.fleet.listLivePositions.iterate().next())).code).toBe("network");
    expect(broken.api.requests).toHaveLength(1);
  });
});
