import { createServer, type IncomingHttpHeaders } from "node:http";
import { onTestFinished } from "vitest";
import type { AtEnd } from "../../tools/test/served-fleet.ts";
import { listen } from "./server-under-test.ts";

type Attributes = Record<string, string | number>;
type OtlpAttribute = { key: string; value: { stringValue?: string; intValue?: number; doubleValue?: number } };
type OtlpSpan = Record<"traceId" | "spanId" | "parentSpanId" | "traceState" | "name", string> & { kind: number; status: { code: number } };
type OtlpPoint = { count: number; explicitBounds: number[] };
type With<Value, Own> = Value & { attributes: Own };

interface OtlpRequest {
  resourceSpans?: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: With<OtlpSpan, OtlpAttribute[]>[] }[] }[];
  resourceMetrics?: {
    scopeMetrics: { metrics: { name: string; histogram?: { dataPoints: With<OtlpPoint, OtlpAttribute[]>[] } }[] }[];
  }[];
}

const attributesOf = (attributes: OtlpAttribute[]): Attributes =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.doubleValue ?? ""]));

const withAttributes = <Value>({ attributes, ...value }: With<Value, OtlpAttribute[]>) =>
  ({ ...value, attributes: attributesOf(attributes) }) as With<Value, Attributes>;

export interface OtlpReceiver {
  /** The standard variables of a process that exports to it. */
  env: Record<string, string>;
  /** Everything received. */
  text: () => string;
  headers: IncomingHttpHeaders[];
  resource: () => Attributes;
  spans: () => With<OtlpSpan, Attributes>[];
  /** The data points of a histogram, in the order in which they were received. */
  points: (metric: string) => With<OtlpPoint, Attributes>[];
}

/** Receives OTLP over HTTP, as a collector does. With `silence`, it never responds. */
export async function otlpReceiver(status: 200 | 400 | "silence" = 200, atEnd: AtEnd = onTestFinished): Promise<OtlpReceiver> {
  const headers: IncomingHttpHeaders[] = [];
  const received: OtlpRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    let body = "";
    for await (const chunk of incoming.setEncoding("utf8")) body += chunk;
    headers.push(incoming.headers);
    if (status !== 400 && body !== "") received.push(JSON.parse(body));
    if (status === "silence") return;
    outgoing.writeHead(status, { "content-type": "application/json" }).end(status === 200 ? "{}" : "canary-collector-says-no");
  });
  const origin = await listen(server, atEnd);
  const resourceSpans = () => received.flatMap((request) => request.resourceSpans ?? []);
  const metrics = () => received.flatMap((request) => request.resourceMetrics ?? []).flatMap(({ scopeMetrics }) => scopeMetrics);
  return {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: origin,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_HEADERS: "x-api-key=canary-collector",
      OTEL_BSP_SCHEDULE_DELAY: "50",
    },
    text: () => JSON.stringify(received),
    headers,
    resource: () => attributesOf(resourceSpans()[0]?.resource.attributes ?? []),
    spans: () =>
      resourceSpans().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map((span) => withAttributes<OtlpSpan>(span)))),
    points: (metric) =>
      metrics()
        .flatMap((scope) => scope.metrics)
        .filter(({ name }) => name === metric)
        .flatMap(({ histogram }) => (histogram?.dataPoints ?? []).map((point) => withAttributes<OtlpPoint>(point))),
  };
}
