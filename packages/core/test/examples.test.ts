import { once } from "node:events";
import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer, type Server as SecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { fetchTrusting } from "../examples/custom-ca.ts";
import { fetchThroughProxy, fleetBehindProxy } from "../examples/proxy.ts";
import { createFleetClient } from "../src/index.ts";
import { failure } from "./fleet-under-test.ts";
import { selfSigned } from "./self-signed.ts";

let certificate: { private: string; cert: string };

beforeAll(async () => {
  certificate = await selfSigned("localhost");
});

async function listening(server: Server | SecureServer): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A fleet service behind TLS with a self-signed certificate. */
async function secureService() {
  const answer = createHttpsServer({ key: certificate.private, cert: certificate.cert }, (_, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify([{ assetName: "Truck 12" }]));
  });
  return `https://localhost:${await listening(answer)}`;
}

/** A tunnelling proxy that records the hosts it connects to. */
async function tunnel() {
  const tunnelled: string[] = [];
  const proxy = createHttpServer();
  proxy.on("connect", (request, client) => {
    tunnelled.push(request.url ?? "");
    const [host = "", port] = (request.url ?? "").split(":");
    const upstream = connect(Number(port), host, () => {
      client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      upstream.pipe(client);
      client.pipe(upstream);
    });
    for (const socket of [upstream, client]) {
      socket.on("error", () => {});
      socket.on("close", () => {
        upstream.destroy();
        client.destroy();
      });
    }
  });
  return { tunnelled, origin: `http://127.0.0.1:${await listening(proxy)}` };
}

const identity = { customerId: "c42", credentials: { clientId: "id", clientSecret: "secret" } };
const options = (base: string, fetch?: typeof globalThis.fetch) => ({
  ...identity,
  servers: { base },
  retries: 0,
  ...(fetch && { fetch }),
});

describe("the examples work", () => {
  it("a private certificate authority", async () => {
    const base = await secureService();
    expect((await failure(createFleetClient(options(base)).listLivePositions())).code).toBe("network");
    const trusting = createFleetClient(options(base, fetchTrusting(certificate.cert)));
    expect(await trusting.listLivePositions()).toEqual([{ assetName: "Truck 12" }]);
  });

  it("a proxy, which sees only the host", async () => {
    const base = await secureService();
    const { tunnelled, origin } = await tunnel();
    const fleet = createFleetClient(options(base, fetchThroughProxy(origin, { ca: certificate.cert })));
    expect(await fleet.listLivePositions()).toEqual([{ assetName: "Truck 12" }]);
    expect(tunnelled).toEqual([base.slice("https://".length)]);
  });

  it("a proxy from the environment", async () => {
    const { tunnelled, origin } = await tunnel();
    const env = { FLEET_CUSTOMER_ID: "c42", FLEET_CLIENT_ID: "id", FLEET_CLIENT_SECRET: "secret", FLEET_BASE_URL: await secureService() };
    const { code } = await failure(fleetBehindProxy({ ...env, HTTPS_PROXY: origin }).listLivePositions({}, { retries: 0 }));
    expect(code).toBe("network");
    expect(tunnelled).toEqual([env.FLEET_BASE_URL.slice("https://".length)]);
  });

  it("a custom fetch gets the signal and the timeout", async () => {
    const stuck = createHttpServer(() => {});
    const base = `http://127.0.0.1:${await listening(stuck)}`;
    const fleet = createFleetClient(options(base, fetchTrusting(certificate.cert)));
    expect((await failure(fleet.listLivePositions({}, { signal: AbortSignal.timeout(50) }))).code).toBe("aborted");
    expect((await failure(fleet.listLivePositions({}, { timeout: 50 }))).code).toBe("timeout");
  });
});
