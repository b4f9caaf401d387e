import { connect } from "node:net";
import { afterAll, describe, expect, test } from "vitest";
import { dice } from "./request-mutations.ts";
import { callSandbox } from "./sandbox-caller.ts";

const call = callSandbox({ vehicles: 5 });
const { urls, basic } = call;
const token = await call.connect();
const json = { ...token, "Content-Type": "application/json" };
const ERROR = { errorCode: expect.any(Number), errorMessage: expect.stringMatching(/./), offendingFields: expect.any(Array) };
const codes = new Map<number, Set<number>>();

test.each<[string, number, string, string, { headers?: Record<string, string>; text?: string }]>([
  ["an unknown path", 404, "GET", `${urls.live}x`, { headers: basic }],
  ["the path of another server", 404, "GET", urls.live.replace("/core/", "/tacho/"), { headers: basic }],
  ["the root", 404, "GET", new URL("/", urls.live).href, {}],
  ["a wrong method", 405, "DELETE", urls.live, { headers: basic }],
  ["a wrong method without credentials", 405, "GET", urls.job, {}],
  ["no credentials", 401, "GET", urls.live, {}],
  ["a wrong content type", 415, "POST", urls.job, { headers: { ...json, "Content-Type": "text/plain" }, text: "{}" }],
  [
    "another character set",
    415,
    "POST",
    urls.job,
    { headers: { ...token, "Content-Type": "application/json; charset=latin1" }, text: "{}" },
  ],
  ["malformed JSON", 400, "POST", urls.job, { headers: json, text: '{"address":' }],
  ["an empty body", 400, "POST", urls.job, { headers: json, text: "" }],
  ["a list instead of an object", 400, "POST", urls.job, { headers: json, text: "[]" }],
  ["null instead of an object", 400, "POST", urls.job, { headers: json, text: "null" }],
  ["too large a body", 413, "POST", urls.job, { headers: json, text: JSON.stringify({ notes: "n".repeat(1_100_000) }) }],
  ["an unknown customer", 403, "GET", urls.live.replace(call.customer, "nobody"), { headers: basic }],
  ["broken percent-encoding", 403, "GET", urls.live.replace(call.customer, "%E0%A4%A"), { headers: basic }],
])("%s gets %i and a single ApiError", async (_name, status, method, url, sending) => {
  const { body, ...response } = await call.send(method, url, sending);
  expect([response.status, body]).toEqual([status, ERROR]);
  if (status === 405) expect(response.headers.get("allow")).toMatch(/^(GET|POST)$/);
  codes.set(status, (codes.get(status) ?? new Set()).add(body.errorCode));
});

test("each kind of refusal has a unique errorCode that starts with the status", () => {
  for (const [status, { size }] of codes) expect([status, size <= 2]).toEqual([status, true]);
  const all = [...codes].flatMap(([status, some]) => [...some].map((code) => [status, code] as const));
  for (const [status, code] of all) expect(String(code).startsWith(String(status))).toBe(true);
  expect(new Set(all.map(([, code]) => code)).size).toBe(all.length);
});

describe("unreadable requests are refused in the interface's shape", async () => {
  const { origin } = await call.sandbox.listen();
  afterAll(() => call.sandbox.close());
  const live = new URL(urls.live).pathname;
  const head = `Host: sandbox\r\nAuthorization: ${basic.Authorization}\r\nConnection: close\r\n`;
  const put = `PUT ${new URL(urls.group).pathname} HTTP/1.1\r\n${head}Content-Type: application/json;charset=UTF-8\r\n`;

  /** Sends raw bytes and returns everything received until the connection closes. */
  const sendBytes = (bytes: Uint8Array, isCutOff = false) =>
    new Promise<string>((resolve) => {
      const socket = connect(Number(new URL(origin).port), "127.0.0.1");
      let response = "";
      socket.on("data", (piece) => (response += piece.toString("latin1")));
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(response));
      socket.end(bytes);
      if (isCutOff) setTimeout(() => socket.destroy(), 50);
    });

  test.each<[string, number, string]>([
    ["bytes that are not HTTP", 400, "hello\r\n\r\n"],
    ["a request without Host", 400, `GET ${live} HTTP/1.1\r\nConnection: close\r\n\r\n`],
    ["an invalid Host", 400, `GET ${live} HTTP/1.1\r\nHost: a b/c@d\r\nConnection: close\r\n\r\n`],
    ["an invalid URL", 400, `GET http://%zz:99999/ HTTP/1.1\r\n${head}\r\n`],
    ["OPTIONS *", 400, `OPTIONS * HTTP/1.1\r\n${head}\r\n`],
    ["a control character in the URL", 400, `GET ${live}\x01 HTTP/1.1\r\n${head}\r\n`],
    ["a control character in a header", 400, `GET ${live} HTTP/1.1\r\n${head}X-Y: a\x00b\r\n\r\n`],
    ["an unknown method", 400, `FETCH ${live} HTTP/1.1\r\n${head}\r\n`],
    ["TRACE", 405, `TRACE ${live} HTTP/1.1\r\n${head}\r\n`],
    ["CONNECT", 405, `CONNECT elsewhere:443 HTTP/1.1\r\n${head}\r\n`],
    ["a URL on another origin", 404, `GET http://elsewhere/x HTTP/1.1\r\n${head}\r\n`],
    ["an overlong URL", 431, `GET ${live}?vehicleIds=${"a".repeat(30_000)} HTTP/1.1\r\n${head}\r\n`],
    ["a length that is not a number", 400, `${put}Content-Length: x\r\n\r\n`],
    ["two lengths", 400, `${put}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ["broken chunks", 400, `${put}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ["chunks that grow too large", 413, `${put}Transfer-Encoding: chunked\r\n\r\n110000\r\n${"a".repeat(0x110000)}\r\n0\r\n\r\n`],
    ["a body shorter than announced", 400, `${put}Content-Length: 500\r\n\r\n{"id"`],
    ["an unknown expectation", 417, `${put}Expect: applause\r\nContent-Length: 2\r\n\r\n{}`],
  ])("%s gets %i", async (_name, status, text) => {
    const [top = "", body = ""] = (await sendBytes(Buffer.from(text, "latin1"))).split("\r\n\r\n");
    expect(top).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(body.replace(/^[0-9a-f]+\r\n|\r\n0$/g, ""))).toEqual({ ...ERROR, offendingFields: [] });
  });

  test("100 corrupted requests, some cut off, neither stop nor crash it", async () => {
    const whole = Buffer.from(`${put}Content-Length: 29\r\n\r\n{"id":"nosuchgroup","name":1}`);
    const statuses: number[] = [];
    const send = async (_: unknown, seed: number) => {
      const roll = dice(seed);
      const bytes = Buffer.from(whole.subarray(0, roll(4) === 0 ? roll(whole.length) : whole.length));
      for (let flips = roll(4); flips > 0 && bytes.length > 0; flips--) {
        const at = roll(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << roll(8));
      }
      const response = await sendBytes(bytes, roll(3) === 0);
      if (response !== "") statuses.push(Number(response.slice(9, 12)));
    };
    await Promise.all(Array.from({ length: 100 }, send));
    // Of those cut off, some get a response in time.
    expect(statuses.length).toBeGreaterThan(50);
    expect(statuses.filter((status) => !(status >= 400 && status < 500))).toEqual([]);
    expect((await fetch(origin)).status).toBe(404);
  });
});
