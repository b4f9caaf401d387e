import { connect } from "node:net";
import { createSandbox } from "@fleetwire/sandbox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dice } from "./request-mutations.ts";

const sandbox = createSandbox({ vehicles: 5, maxBodyBytes: 2000 });
const statuses: number[] = [];
let port: number;

beforeAll(async () => {
  port = Number(new URL((await sandbox.listen()).origin).port);
});
afterAll(() => sandbox.close());

/** Sends raw bytes and returns everything received until the connection closes. */
function sendBytes(bytes: Uint8Array, isCutOff = false): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let response = "";
    socket.on("data", (piece) => {
      response += piece.toString("latin1");
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(response));
    socket.end(bytes);
    if (isCutOff) setTimeout(() => socket.destroy(), 50);
  });
}

const env = sandbox.env;
const core = `/core/public/v1/customer/${env["FLEET_CUSTOMER_ID"]}`;
const basic = btoa(`${env["FLEET_CLIENT_ID"]}:${env["FLEET_CLIENT_SECRET"]}`);
const head = `Host: sandbox\r\nAuthorization: Basic ${basic}\r\nConnection: close\r\n`;
const put = `PUT ${core}/group HTTP/1.1\r\n${head}Content-Type: application/json;charset=UTF-8\r\n`;

const rows: [string, number, string][] = [
  ["bytes that are not HTTP", 400, "hello\r\n\r\n"],
  ["a request without Host", 400, `GET ${core}/tracking/live HTTP/1.1\r\nConnection: close\r\n\r\n`],
  ["an invalid Host", 400, `GET ${core}/tracking/live HTTP/1.1\r\nHost: a b/c@d\r\nConnection: close\r\n\r\n`],
  ["an invalid URL", 400, `GET http://%zz:99999/ HTTP/1.1\r\n${head}\r\n`],
  ["OPTIONS *", 400, `OPTIONS * HTTP/1.1\r\n${head}\r\n`],
  ["a control character in the URL", 400, `GET ${core}/tracking/live\x01 HTTP/1.1\r\n${head}\r\n`],
  ["a control character in a header", 400, `GET ${core}/tracking/live HTTP/1.1\r\n${head}X-Y: a\x00b\r\n\r\n`],
  ["an unknown method", 400, `FETCH ${core}/tracking/live HTTP/1.1\r\n${head}\r\n`],
  ["TRACE", 405, `TRACE ${core}/tracking/live HTTP/1.1\r\n${head}\r\n`],
  ["CONNECT", 405, `CONNECT elsewhere:443 HTTP/1.1\r\n${head}\r\n`],
  ["a URL on another origin", 404, `GET http://elsewhere/x HTTP/1.1\r\n${head}\r\n`],
  ["an overlong URL", 431, `GET ${core}/tracking/live?vehicleIds=${"a".repeat(30_000)} HTTP/1.1\r\n${head}\r\n`],
  ["a length that is not a number", 400, `${put}Content-Length: x\r\n\r\n`],
  ["two lengths", 400, `${put}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ["broken chunks", 400, `${put}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
  ["chunks that grow too large", 413, `${put}Transfer-Encoding: chunked\r\n\r\n800\r\n${"a".repeat(2048)}\r\n0\r\n\r\n`],
  ["a body shorter than announced", 400, `${put}Content-Length: 500\r\n\r\n{"id"`],
  ["an unknown expectation", 417, `${put}Expect: applause\r\nContent-Length: 2\r\n\r\n{}`],
];

describe("chosen S5: unreadable requests are refused in the interface's shape", () => {
  test.each(rows)("%s gets %i", async (_name, status, text) => {
    const [top = "", body = ""] = (await sendBytes(Buffer.from(text, "latin1"))).split("\r\n\r\n");
    expect(top).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(JSON.parse(body.replace(/^[0-9a-f]+\r\n|\r\n0$/g, ""))).toEqual({
      errorCode: expect.any(Number),
      errorMessage: expect.stringMatching(/./),
      offendingFields: [],
    });
  });

  test("400 corrupted requests, some cut off, neither stop nor crash it", async () => {
    const whole = Buffer.from(`${put}Content-Length: 29\r\n\r\n{"id":"nosuchgroup","name":1}`);
    const send = async (seed: number) => {
      const roll = dice(seed);
      const bytes = Buffer.from(whole.subarray(0, roll(4) === 0 ? roll(whole.length) : whole.length));
      for (let flips = roll(4); flips > 0 && bytes.length > 0; flips--) {
        const at = roll(bytes.length);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << roll(8));
      }
      const response = await sendBytes(bytes, roll(3) === 0);
      if (response !== "") statuses.push(Number(response.slice(9, 12)));
    };
    for (let seed = 0; seed < 400; seed += 50) await Promise.all(Array.from({ length: 50 }, (_, at) => send(seed + at)));
    // Of those cut off, some get a response in time.
    expect(statuses.length).toBeGreaterThan(200);
    expect(statuses.filter((status) => !(status >= 400 && status < 500))).toEqual([]);
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  });
});
