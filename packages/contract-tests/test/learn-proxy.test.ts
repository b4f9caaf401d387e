import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { readProfile } from "@fleetwire/core";
import { expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { start } from "./run-command.ts";

const SECRETS = { authorization: "Basic canary-credentials", token: "canary-token", message: "canary-message" };

/** A service that records requests as they arrive. */
async function startService() {
  const arrived: { method: string | undefined; url: string | undefined; headers: string[]; body: string }[] = [];
  const server = createServer(async (incoming, outgoing) => {
    arrived.push({ method: incoming.method, url: incoming.url, headers: incoming.rawHeaders, body: await text(incoming) });
    outgoing.sendDate = false;
    const isLive = incoming.url?.includes("/tracking/live");
    const body = isLive ? '[{"status":"IN_USE","driverName":"canary-driver","date":"x"}]' : `{"errorMessage":"${SECRETS.message}"}`;
    const content = gzipSync(body);
    const headers = [
      "Content-Type",
      "application/json",
      "Content-Encoding",
      "gzip",
      "Content-Length",
      String(content.length),
      "Set-Cookie",
      "a=canary-cookie",
    ];
    outgoing.writeHead(isLive ? 200 : 422, "As It Is", [...headers, "Set-Cookie", "b=2", "X-Odd-CASE", "1"] as never).end(content);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { arrived, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prefix` };
}

/** Sends a request with exactly these headers, and returns the response as it arrived. */
async function send(url: string, method: string, headers: string[], body = "") {
  const sent = request(url, { method, headers: ["Host", new URL(url).host, ...headers] as never });
  sent.end(body);
  const [response] = await once(sent, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return {
    status: response.statusCode,
    reason: response.statusMessage,
    headers: response.rawHeaders,
    body: Buffer.concat(chunks).toString("base64"),
  };
}

const OF_CONNECTION = ["host", "connection", "keep-alive"];
const comparable = (raw: string[]) =>
  raw.flatMap((name, at) => (at % 2 === 1 || OF_CONNECTION.includes(name.toLowerCase()) ? [] : [`${name}: ${raw[at + 1]}`]));

it("learn --proxy forwards calls unchanged, and keeps no credentials and no data", { timeout: 60_000 }, async () => {
  const service = await startService();
  const out = join(temporaryFolder(), "profile.json");
  const { child, ended } = start(["learn", "--proxy", "0", "--out", out], { FLEET_BASE_URL: service.url });
  let said = "";
  const proxy = await new Promise<string>((resolve) => {
    child.stderr.on("data", (chunk: string) => {
      said += chunk;
      const [, url] = /FLEET_BASE_URL=(\S+)\n/.exec(said) ?? [];
      if (url) resolve(url);
    });
  });
  const calls: [path: string, method: string, headers: string[], body: string][] = [
    [
      "/public/v1/customer/c1/tracking/live?vehicleIds=a1,a2&locale=de%20DE",
      "GET",
      ["Authorization", SECRETS.authorization, "X-Own-CASE", "1"],
      "",
    ],
    [
      "/public/v1/customer/c1/group",
      "PUT",
      ["Content-Type", "application/json;charset=UTF-8", "x-connect-token", `TOKEN ${SECRETS.token}`, "Content-Length", "29"],
      '{"id":"g1","name":"canary-n"}',
    ],
    ["/public/v1/customer/c1/group", "PUT", ["Content-Type", "application/json", "Transfer-Encoding", "chunked"], '{"id":"ä"}'],
    ["/unknown/path", "GET", ["Accept", "*/*"], ""],
  ];
  for (const [path, method, headers, body] of calls) {
    const [direct, through] = [await send(service.url + path, method, headers, body), await send(proxy + path, method, headers, body)];
    expect({ ...through, headers: comparable(through.headers) }).toEqual({ ...direct, headers: comparable(direct.headers) });
    const [first, second] = service.arrived.splice(0);
    expect({ ...second, headers: comparable(second?.headers ?? []) }).toEqual({ ...first, headers: comparable(first?.headers ?? []) });
  }
  expect(await send(new URL("/elsewhere/x", proxy).href, "GET", [])).toMatchObject({ status: 404 });
  expect(existsSync(out)).toBe(false);
  child.kill("SIGTERM");
  const { code, stdout, stderr } = await ended;
  expect(code, stderr).toBe(0);
  const profile = readFileSync(out, "utf8");
  for (const shown of [profile, stdout, stderr]) expect(shown).not.toContain("canary");
  expect(readProfile(profile).facts).toMatchObject([
    { operation: "listLivePositions", fact: "values", path: "$[*].status", values: [{ value: "IN_USE", records: 1 }] },
    { operation: "updateGroup", fact: "shape", status: 422, fields: [{ path: "$" }, { path: "$.errorMessage" }], records: 2, of: 2 },
  ]);
});
