import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { AtEnd } from "../../tools/test/fleet-service.ts";

type Attributes = Record<string, string | number>;

interface OtlpAttribute {
  key: string;
  value: { stringValue?: string; intValue?: number; doubleValue?: number };
}

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  status: { code: number; message?: string };
  attributes: OtlpAttribute[];
}

interface OtlpPoint {
  attributes: OtlpAttribute[];
  count: number;
  sum: number;
  explicitBounds: number[];
}

interface OtlpLine {
  resourceSpans?: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
  resourceMetrics?: { scopeMetrics: { metrics: { name: string; unit: string; histogram?: { dataPoints: OtlpPoint[] } }[] }[] }[];
}

type Span = Omit<OtlpSpan, "attributes"> & { attributes: Attributes };
type Point = Omit<OtlpPoint, "attributes"> & { attributes: Attributes };

const attributesOf = (attributes: OtlpAttribute[]): Attributes =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue ?? ""]));

export interface OtlpReceiver {
  /** The standard variables of a process that exports to it. */
  env: Record<string, string>;
  /** Everything received, in the format of the collector's file exporter: a line of OTLP JSON for each request. */
  text: () => string;
  headers: IncomingHttpHeaders[];
  resource: () => Attributes;
  spans: () => Span[];
  /** The data points of a histogram, in the order in which they were received. */
  points: (metric: string) => Point[];
}

/** Receives OTLP over HTTP, as a collector does, and writes it to a file. With `silence`, it never responds. */
export async function otlpReceiver(status: number | "silence" = 200, atEnd: AtEnd = onTestFinished): Promise<OtlpReceiver> {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-otlp-"));
  const file = join(folder, "telemetry.jsonl");
  const headers: IncomingHttpHeaders[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let body = "";
    for await (const chunk of incoming.setEncoding("utf8")) body += chunk;
    headers.push(incoming.headers);
    if (status === "silence") return;
    if (status === 200) appendFileSync(file, `${JSON.stringify(JSON.parse(body))}\n`);
    outgoing.writeHead(status, { "content-type": "application/json" }).end(status === 200 ? "{}" : "canary-collector-says-no");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const text = () => (existsSync(file) ? readFileSync(file, "utf8") : "");
  const lines = () =>
    text()
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as OtlpLine);
  const resourceSpans = () => lines().flatMap((line) => line.resourceSpans ?? []);
  return {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=canary-collector",
      OTEL_BSP_SCHEDULE_DELAY: "50",
    },
    text,
    headers,
    resource: () => attributesOf(resourceSpans()[0]?.resource.attributes ?? []),
    spans: () =>
      resourceSpans()
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map(({ attributes, ...span }) => ({ ...span, attributes: attributesOf(attributes) })),
    points: (metric) =>
      lines()
        .flatMap((line) => line.resourceMetrics ?? [])
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
        .filter(({ name }) => name === metric)
        .flatMap(({ histogram }) => histogram?.dataPoints ?? [])
        .map(({ attributes, ...point }) => ({ ...point, attributes: attributesOf(attributes) })),
  };
}
