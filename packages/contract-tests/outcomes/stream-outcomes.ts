import { getEventListeners } from "node:events";
import { type CallOptions, type FleetClientOptions, FleetError } from "@fleetwire/core";
import { probedClient } from "./client-outcomes.ts";
import type { Outcome } from "./outcome.ts";

/** Lists as a service may write them, and what is no list. */
const BODIES: Readonly<Record<string, string>> = {
  "two records": '[{"assetId":"v1"},{"assetId":"v2"}]',
  "blanks everywhere": ' \t\r\n[ \t\r\n{ "assetId" : "v1" } \t\r\n, \t\r\n{ } \t\r\n] \t\r\n',
  "letters of several bytes": '[{"assetName":"Łódź 🚚"},{"road":"é"}]',
  "letters that are escaped": '[{"asset\\u0049d":"v\\"1\\\\","road":"\\\\"},{"road":"\\\\\\""},{"city":"\\ud83d\\ude9a"}]',
  "brackets and commas in texts": '[{"road":"[{,}]"},{"road":"]","city":"},{"}]',
  "lists in records": '[{"activeFaultCodes":[],"tags":["a","b"]},{"more":[[1,[2]],{"a":[3]}]}]',
  "records of other kinds": '[[1,2],"a,b",null,1.5,true,{"assetId":"v1"}]',
  "no record": "[]",
  "a blank in the list": "[ \n]",
  "a byte order mark": '\ufeff[{"assetId":"v1"}]',
  "a byte order mark, then blanks": "\ufeff \n[{}]",
  "a byte order mark alone": "\ufeff",
  "two byte order marks": "\ufeff\ufeff[{}]",
  "a byte order mark behind a blank": " \ufeff[{}]",
  "a byte order mark in the list": '[\ufeff{"assetId":"v1"},{}]',
  "a byte order mark between records": '[{"assetId":"v1"},\ufeff{}]',
  "a letter that begins like a byte order mark": "\uf000[{}]",
  nothing: "",
  "blanks alone": " \n ",
  "one word": '"[1]"',
  "an object": '{"items":[]}',
  "a page": "<html>[]</html>",
  "a brace": "}",
  "a word behind the list": '[{"assetId":"v1"}]x',
  "a word and a blank behind the list": "[{}] \nx ",
  "two lists": "[][]",
  "other blanks": '[{"assetId":"v1"},\u000b{}]',
  "other blanks behind the list": "[{}]\u00a0",
  "zeros before the list": "\u0000[{}]",
  "a comma before the end": '[{"assetId":"v1"},{}, ]',
  "a comma at the beginning": '[,{"assetId":"v1"}]',
  "two commas": '[{"assetId":"v1"},,{}]',
  "a comma alone": "[,]",
  "no comma": "[{}{}]",
  "brackets that do not match": '[{"assetId":"v1"},{"a":1]}',
  "a brace in place of the end": '[{"assetId":"v1"}}',
  "a brace too many": '[{"assetId":"v1"},{}},{}]',
  "a list that is not closed": '[{"assetId":"v1"},{"assetId":"v2"}',
  "a list that ends with a comma": '[{"assetId":"v1"},',
  "an end within a text": '[{"assetId":"v1"},{"assetId":"v2',
  "an end within an escape": '[{"assetId":"v1"},{"road":"\\',
  "an error in the middle": '[{"assetId":"v1"},{assetId:2},{"assetId":"v3"}]',
  "a control character in a text": '[{"assetId":"v1"},{"road":"a\nb"}]',
  drift: '[{"speed":"x"},{"speed":"y","colour":"red"},{"eventType":"FLYING","colour":"red"},7,{"privacy":"replay-client-secret"}]',
  "big numbers": '[{"serialNumber":9007199254740993},{"serialNumber":"9007199254740993"},{"serialNumber":5}]',
};

const encode = (text: string) => new TextEncoder().encode(text);

const BYTES: Readonly<Record<string, Uint8Array>> = {
  ...Object.fromEntries(Object.entries(BODIES).map(([name, text]) => [name, encode(text)])),
  "bytes that are no letters": Uint8Array.from([
    ...encode('[{"road":"x'),
    0xff,
    0xe2,
    0x82,
    ...encode('"},{"city":"'),
    0xc3,
    ...encode('"}]'),
  ]),
  "the beginning of a byte order mark": Uint8Array.of(0xef, 0xbb),
  "half a byte order mark before a list": Uint8Array.from([0xef, 0xbb, ...encode("[{}]")]),
};

const piecesOf = (bytes: Uint8Array, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));

/** How a body may arrive. */
const ARRIVALS: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array[]>> = {
  "byte by byte": (bytes) => piecesOf(bytes, 1),
  "by seven": (bytes) => [encode(""), ...piecesOf(bytes, 7).flatMap((piece) => [piece, encode("")])],
  "at once": (bytes) => [bytes],
};

interface Reading {
  pieces: readonly Uint8Array[];
  /** What follows the pieces. */
  end?: "closed" | "broken" | "silent" | "silent until it is ended";
  /** Milliseconds before each piece. */
  pause?: number;
  options?: CallOptions;
  client?: Partial<FleetClientOptions>;
  /** The answer is asked for as a whole. */
  whole?: boolean;
  /** What the caller does after each record; it stops where this gives false. */
  after?: (record: number) => unknown;
}

const shown = (record: unknown) => {
  const text = JSON.stringify(record);
  return text.length > 100 ? `${text.slice(0, 20)}... of ${text.length}` : text;
};

const MOST_LINES = 12;

/** The first and the last of many lines. */
const abridged = (lines: readonly string[]): readonly string[] =>
  lines.length > MOST_LINES ? [`${lines.length} lines`, ...lines.slice(0, 2), "...", ...lines.slice(-2)] : lines;

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What the caller is told, a line each: the records after how many bytes they came, how they drifted, how it ended. */
async function read({ pieces, end = "closed", pause, whole = false, options = {}, client, after }: Reading): Promise<string[]> {
  const records: string[] = [];
  const ended: string[] = [];
  let bytes = 0;
  let sent = 0;
  let connection: AbortSignal | null | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        if (pause !== undefined) await wait(pause);
        const piece = pieces[sent++];
        bytes += piece?.length ?? 0;
        if (piece) controller.enqueue(piece);
        else if (end === "closed") controller.close();
        else if (end === "broken") controller.error(new Error("broken"));
        else if (end !== "silent") connection?.addEventListener("abort", () => controller.error(new Error("ended")));
      },
    },
    { highWaterMark: 0 },
  );
  const fleet = probedClient({
    onDrift: ({ operation, drift }) =>
      ended.push(`${operation} drifts`, ...abridged(drift.map(({ path, kind, count }) => `${path} ${kind} ${count}`))),
    fetch: async (_, init) => {
      connection = init?.signal;
      return new Response(body);
    },
    ...client,
  });
  try {
    const given = whole ? await fleet.listLivePositions({}, options) : fleet.listLivePositions.iterate({}, options);
    for await (const record of given) {
      records.push(`${bytes}: ${shown(record)}`);
      if ((await after?.(records.length)) === false) break;
      if (connection?.aborted) ended.push("the connection is ended");
    }
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    ended.push(`${error.code} ${error.status ?? "without a status"}: ${error.message}`);
  }
  const left = options.signal ? getEventListeners(options.signal, "abort").length : 0;
  return [
    ...abridged(records),
    ...ended,
    `${bytes} bytes asked for`,
    ...(connection?.aborted ? [] : ["the connection is left to itself"]),
    ...Array(left).fill("listening"),
  ];
}

const THREE = piecesOf(encode('[{"assetId":"v1"},{"assetId":"v2"},{"assetId":"v3"}]'), 4);
const TWO = [encode('[{"assetId":"v1"},{"assetId":"v2"},')];

/** Callers who end it, and services that do. Each has a signal of its own. */
const ENDS: Readonly<Record<string, (caller: AbortController) => Reading>> = {
  "the caller stops": () => ({ pieces: THREE, after: (record) => record < 2 }),
  "the caller stops after drift": () => ({ pieces: piecesOf(BYTES["drift"] ?? encode(""), 1), after: (record) => record < 2 }),
  "the caller aborts between records that have come": (caller) => ({
    pieces: TWO,
    end: "silent",
    after: () => caller.abort(),
  }),
  "the caller aborts before more is read": (caller) => ({ pieces: THREE, after: () => caller.abort() }),
  "the caller aborts while it waits": (caller) => ({
    pieces: TWO,
    end: "silent",
    after: (record) => void (record === 2 && setTimeout(() => caller.abort())),
  }),
  "the caller aborts as the answer begins": (caller) => ({ pieces: [], end: "silent", client: { onResponse: () => caller.abort() } }),
  "the caller is slower than the service may be": () => ({ pieces: THREE, options: { timeout: 15 }, after: () => wait(25) }),
  "all is read": () => ({ pieces: THREE }),
  "the connection breaks": () => ({ pieces: THREE.slice(0, 8), end: "broken" }),
  "the connection breaks at the end": () => ({ pieces: THREE, end: "broken" }),
  "the caller aborts a body that then breaks": (caller) => ({
    pieces: TWO,
    end: "silent until it is ended",
    after: (record) => void (record === 2 && setTimeout(() => caller.abort())),
  }),
  "the service falls silent, and the body then breaks": () => ({
    pieces: TWO,
    end: "silent until it is ended",
    options: { timeout: 15 },
  }),
  "the service is slow": () => ({ pieces: THREE.slice(0, 4), pause: 5, end: "broken" }),
  "the service falls silent": () => ({ pieces: TWO, end: "silent", options: { timeout: 15 } }),
};

const strict = { validation: "strict" } as const;
const LARGEST_RECORD = 16 * 1024 * 1024;

/** The beginning of a record, so many bytes. */
function beginningOf(length: number): Uint8Array[] {
  const piece = new Uint8Array(64 * 1024).fill(0x78);
  const begin = encode('[{"road":"');
  const rest = length - begin.length + 1;
  return [begin, ...Array<Uint8Array>(Math.floor(rest / piece.length)).fill(piece), piece.subarray(0, rest % piece.length)];
}

const repeated = (text: string, count: number) => Array<string>(count).fill(text).join(",");

const fields = (from: number, to: number) => `{${Array.from({ length: to - from }, (_, at) => `"f${from + at}":1`).join(",")},"speed":"x"}`;

const MANY_FIELDS = encode(`[${[fields(0, 600), fields(600, 1_200), fields(0, 600), fields(1_100, 1_200)].join(",")}]`);

const OTHERS: Readonly<Record<string, Reading>> = {
  "strict, no drift": { pieces: THREE, client: strict },
  "strict, drift": { pieces: piecesOf(encode('[{"assetId":"v1"},{"speed":"x","colour":1},{"speed":"y"}]'), 1), client: strict },
  "fewer and fewer blanks before the list": { pieces: ["     ", "  ", "[{}]"].map(encode) },
  "a record over several pieces": { pieces: [...beginningOf(200_000), encode('"},{}]')] },
  "the beginning of the largest record": { pieces: beginningOf(LARGEST_RECORD), end: "broken" },
  "the beginning of a larger record": { pieces: beginningOf(LARGEST_RECORD + 1), end: "broken" },
  "a list of nothing": { pieces: [], client: { fetch: async () => new Response(null) } },
  "an error behind many records": { pieces: [encode(`[${repeated('{"assetId":"v1"}', 9_000)},x]`)] },
  "many unknown fields at once": { pieces: [MANY_FIELDS] },
  "many unknown fields in the whole": { pieces: [MANY_FIELDS], whole: true },
  "many unknown fields by and by": { pieces: piecesOf(MANY_FIELDS, 1_000) },
};

/** What is told of each way in which a body arrives. */
async function arrivals(bytes: Uint8Array): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {};
  for (const [how, pieces] of Object.entries(ARRIVALS)) seen[how] = await read({ pieces: pieces(bytes) });
  return seen;
}

/** What a caller sees who reads a list record by record, however its bytes come. */
export async function* streamOutcomes(): AsyncGenerator<Outcome> {
  const fleet = probedClient();
  for (const [name, method] of Object.entries({ ...fleet })) yield [`${name} is read by`, Object.keys(method)];
  for (const [name, bytes] of Object.entries(BYTES)) yield [name, await arrivals(bytes)];
  for (const [name, reading] of Object.entries(OTHERS)) yield [name, await read(reading)];
  for (const [name, readingOf] of Object.entries(ENDS)) {
    const caller = new AbortController();
    const { options, ...reading } = readingOf(caller);
    yield [name, await read({ ...reading, options: { timeout: 50, ...options, signal: caller.signal } })];
  }
}
