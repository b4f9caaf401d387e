import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createSecureServer, type Server as SecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { fetchTrusting } from "../examples/custom-ca.ts";
import { tracedCalls } from "../examples/opentelemetry.ts";
import { fetchThroughProxy, fleetBehindProxy } from "../examples/proxy.ts";
import { createFleetClient } from "../src/index.ts";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";
import { recordingServer, silence } from "./recording-server.ts";
import { selfSigned } from "./self-signed.ts";

async function listening(server: Server | SecureServer): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe("a service with a private certificate authority", () => {
  let certificate: { private: string; cert: string };
  beforeAll(async () => {
    certificate = await selfSigned("localhost");
  });

  const secureService = async () => {
    const answer = createSecureServer({ key: certificate.private, cert: certificate.cert }, (_, response) => {
      response.setHeader("content-type", "application/json").end('[{"assetName":"Truck 12"}]');
    });
    return `https://localhost:${await listening(answer)}`;
  };

  /** A tunnelling proxy that records the hosts it connects to. */
  async function tunnel() {
    const tunnelled: string[] = [];
    const proxy = createServer().on("connect", ({ url = "" }, client) => {
      tunnelled.push(url);
      const [host = "", port] = url.split(":");
      const upstream = connect(Number(port), host, () => {
        client.write("HTTP/1.1 200 Connection Established\r\n\r\n");
        upstream.pipe(client).pipe(upstream);
      });
      for (const socket of [upstream, client])
        socket.on("error", () => {}).on("close", () => [upstream, client].map((one) => one.destroy()));
    });
    return { tunnelled, origin: `http://127.0.0.1:${await listening(proxy)}` };
  }

  const clientOf = (base: string, fetch?: typeof globalThis.fetch) =>
    createFleetClient({
      customerId: "c42",
      credentials: { clientId: "id", clientSecret: "secret" },
      servers: { base },
      retries: 0,
      ...(fetch && { fetch }),
    });

  it("is trusted with its certificate only", async () => {
    const base = await secureService();
    expect((await failure(clientOf(base).listLivePositions())).code).toBe("network");
    expect(await clientOf(base, fetchTrusting(certificate.cert)).listLivePositions()).toEqual([{ assetName: "Truck 12" }]);
  });

  it("is reached through a proxy, which sees only the host, and may come from the environment", async () => {
    const base = await secureService();
    const { tunnelled, origin } = await tunnel();
    const fleet = clientOf(base, fetchThroughProxy(origin, { ca: certificate.cert }));
    expect(await fleet.listLivePositions()).toEqual([{ assetName: "Truck 12" }]);
    const env = { FLEET_CUSTOMER_ID: "c42", FLEET_CLIENT_ID: "id", FLEET_CLIENT_SECRET: "secret", FLEET_BASE_URL: base };
    const behind = fleetBehindProxy({ ...env, HTTPS_PROXY: origin });
    expect((await failure(behind.listLivePositions({}, { retries: 0 }))).code).toBe("network");
    expect(tunnelled).toEqual(Array(2).fill(base.slice("https://".length)));
  });

  it("is left by its fetch when the caller aborts, or after the timeout", async () => {
    const { origin } = await recordingServer(silence);
    const fleet = clientOf(origin, fetchTrusting(certificate.cert));
    expect((await failure(fleet.listLivePositions({}, { signal: AbortSignal.timeout(50) }))).code).toBe("aborted");
    expect((await failure(fleet.listLivePositions({}, { timeout: 50 }))).code).toBe("timeout");
  });
});

it("OpenTelemetry: each request is a span below the active one, without a secret; a retry is its event", async () => {
  const exporter = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer("test");
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(() => context.disable());
  const answers = [{ status: 503 }, { body: [] }, silence];
  const { fleet } = await fleetUnderTest({
    api: answers,
    retries: 1,
    ...tracedCalls(tracer),
    authSchemes: { listLivePositions: "bearer" },
  });
  await tracer.startActiveSpan("work", async (span) => {
    await fleet.listLivePositions({ vehicleIds: ["v4711"] });
    await failure(fleet.listLivePositions({}, { timeout: 50, retries: 0 }));
    span.end();
  });
  const spans = exporter.getFinishedSpans();
  const work = spans.find(({ name }) => name === "work");
  const below = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === work?.spanContext().spanId);
  const facts = ["http.response.status_code", "http.request.resend_count", "error.type"];
  expect(below.map(({ name, attributes, status }) => [name, status.code, ...facts.map((fact) => attributes[fact])])).toEqual([
    ["fleet requestAccessToken", 0, 200, 0, undefined],
    ["fleet listLivePositions", 2, 503, 0, undefined],
    ["fleet listLivePositions", 0, 200, 1, undefined],
    ["fleet listLivePositions", 2, undefined, 0, "timeout"],
  ]);
  expect(work?.events.map(({ name, attributes }) => [name, attributes?.["fleet.code"]])).toEqual([["fleet retry", "upstream"]]);
  const written = JSON.stringify(spans.map(({ name, attributes, events }) => ({ name, attributes, events })));
  for (const secret of ["canary", "v4711", "c42", "Basic", "Bearer"]) expect(written).not.toContain(secret);
});
