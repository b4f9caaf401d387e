import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { get } from "node:https";
import type { AddressInfo } from "node:net";
import { debianProgram } from "@fleetwire/packaging/debian-program";
import { generate } from "selfsigned";
import { describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../vitest/free-port.ts";
import { temporaryFolder } from "../../vitest/temporary-folder.ts";
import { type Nginx, startNginx } from "./nginx.ts";

type Respond = (incoming: IncomingMessage, response: ServerResponse, body: string) => void;

const path = await debianProgram("nginx");

/** A replica whose behavior a test controls. Returns its address and the requests it has received. */
async function replica(respond: Respond): Promise<{ address: string; received: { headers: IncomingMessage["headers"]; url: string }[] }> {
  const received: { headers: IncomingMessage["headers"]; url: string }[] = [];
  const server = createServer((incoming, response) => {
    received.push({ headers: incoming.headers, url: incoming.url ?? "" });
    let body = "";
    incoming.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    incoming.once("end", () => respond(incoming, response, body));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

const nobody = async () => `127.0.0.1:${await freePort()}`;

async function before(
  replicas: readonly string[],
  more: Pick<Parameters<typeof startNginx>[0], "tls"> = {},
): Promise<Nginx & { url: string }> {
  const folder = temporaryFolder();
  const nginx = await startNginx({ path: path as string, folder, replicas, ...more });
  onTestFinished(() => nginx.end());
  return { ...nginx, url: `http://127.0.0.1:${nginx.port}/mcp` };
}

const post = (url: string, token = "canary-token", body = "{}") =>
  fetch(url, { method: "POST", body, headers: { authorization: `Bearer ${token}`, "content-type": "application/json" } });

/** So many that each replica is sure to get some, wherever its port places it. */
const tokens = Array.from({ length: 40 }, (_, at) => `canary-${at}`);

describe.skipIf(path === undefined)("examples/deployment/nginx.conf.template", () => {
  it("sends a POST to another replica if the first does not accept connections", async () => {
    const up = await replica((_, response) => response.end("{}"));
    const { url } = await before([await nobody(), await nobody(), up.address]);
    const statuses = await Promise.all(tokens.map(async (token) => (await post(url, token)).status));
    expect({ statuses: new Set(statuses), received: up.received.length }).toEqual({ statuses: new Set([200]), received: tokens.length });
  });

  it("never sends a POST twice: if the connection is lost after it was sent, the caller is told what to do", async () => {
    const cut: Respond = ({ socket }) => void socket.destroy();
    const replicas = [await replica(cut), await replica(cut), await replica(cut)];
    const { url } = await before(replicas.map(({ address }) => address));
    const response = await post(url);
    expect({ status: response.status, retryAfter: response.headers.get("retry-after") }).toEqual({ status: 502, retryAfter: "1" });
    const message = expect.stringContaining("not known whether anything changed: repeat the same call, a write with the same confirmation");
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", error: { message } });
    expect(replicas.flatMap(({ received }) => received)).toHaveLength(1);
  });

  it("keeps a caller, with ?customer= all callers of a customer, and a user of the console by the address, at one replica", async () => {
    const replicas = await Promise.all(["a", "b", "c"].map((name) => replica((_, response) => response.end(name))));
    const { url } = await before(replicas.map(({ address }) => address));
    const ofToken = async (token: string) => (await post(url, token)).text();
    const ofCustomer = async (token: string) => (await post(`${url}?customer=north`, token)).text();
    const ofAddress = (_: string, at: number) =>
      new Promise<string>((resolve, reject) => {
        const asked = request(new URL("/console/", url), { localAddress: `127.0.1.${at + 1}` }, (response) => {
          response.setEncoding("utf8").once("data", resolve);
        });
        asked.once("error", reject).end();
      });
    for (const [servedBy, count] of [
      [ofToken, 3],
      [ofCustomer, 1],
      [ofAddress, 3],
    ] as const) {
      const first = await Promise.all(tokens.map(servedBy));
      expect(await Promise.all(tokens.map(servedBy))).toEqual(first);
      expect(new Set(first).size).toBe(count);
    }
  });

  it("passes on what hosts and the console need", async () => {
    const up = await replica((_, response) => response.end("{}"));
    const { url } = await before([up.address, up.address, up.address]);
    const paths = ["/.well-known/oauth-protected-resource/mcp", "/console", "/console/api/fleet?since=1", "/healthz"];
    for (const path of paths) expect((await fetch(new URL(path, url))).status).toBe(200);
    expect(up.received.map(({ url: asked }) => asked)).toEqual(paths);
  });

  it("logs neither tokens nor queries, and passes on the caller's address and a request id", async () => {
    const up = await replica((_, response) => response.end("{}"));
    const { url, logged } = await before([up.address, await nobody(), await nobody()]);
    await post(`${url}?customer=north&access_token=canary-query`);
    await expect.poll(logged).toContain('"path":"/mcp","status":200');
    expect(logged()).not.toMatch(/canary|north/);
    const headers = up.received[0]?.headers ?? {};
    expect(headers).toMatchObject({ "x-forwarded-for": "127.0.0.1", host: new URL(url).host, authorization: "Bearer canary-token" });
    expect(logged()).toContain(`"requestId":"${headers["x-request-id"]}"`);
  });

  it("passes on each event at once, and that the caller has left", async () => {
    let sendAnother = () => {};
    let left = () => {};
    const hasLeft = new Promise<void>((resolve) => (left = resolve));
    const up = await replica((_, response) => {
      response.once("close", left);
      response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
      sendAnother = () => response.write("data: 2\n\n");
    });
    const { url } = await before([up.address, up.address, up.address]);
    const reader = (await post(url)).body?.getReader();
    // The replica sends nothing more until the first event has arrived, and never ends the stream.
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("data: 1\n\n");
    sendAnother();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("data: 2\n\n");
    await reader?.cancel();
    await hasLeft;
  });

  it.each([
    ["a body of more than 1 MiB", "/mcp", "x".repeat(1_048_577), 413],
    ["metrics", "/metrics", "{}", 404],
    ["a path that only begins like another", "/mcps", "{}", 404],
    ["another path", "/consoles", "{}", 404],
  ])("rejects %s without asking a replica", async (_, target, body, status) => {
    const up = await replica((_, response) => response.end("{}"));
    const { url } = await before([up.address, up.address, up.address]);
    expect((await post(new URL(target, url).href, "canary-token", body)).status).toBe(status);
    expect(up.received).toEqual([]);
  });

  it("ends TLS with tls.conf", async () => {
    const up = await replica((_, response) => response.end('{"ok":true}'));
    const { cert: certificate, private: key } = await generate([{ name: "commonName", value: "fleet.example.com" }]);
    const { port } = await before([up.address, up.address, up.address], { tls: { certificate, key } });
    const status = await new Promise((resolve, reject) => {
      get({ port, host: "127.0.0.1", path: "/healthz", ca: certificate, checkServerIdentity: () => undefined }, ({ statusCode }) =>
        resolve(statusCode),
      ).once("error", reject);
    });
    expect(status).toBe(200);
  });
});
