import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { tracedCalls } from "../examples/opentelemetry.ts";
import { failure, fleetUnderTest } from "./fleet-under-test.ts";

const exporter = new InMemorySpanExporter();
const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).getTracer("test");

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterAll(() => context.disable());
beforeEach(() => exporter.reset());

/** Runs work in a span and returns the span, its children and its events. */
async function traced(work: () => Promise<unknown>) {
  await tracer.startActiveSpan("work", async (span) => {
    await work();
    span.end();
  });
  const spans = exporter.getFinishedSpans();
  const own = spans.find(({ name }) => name === "work");
  const below = spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === own?.spanContext().spanId);
  return { below: below.map(({ name, attributes, status }) => ({ name, attributes, status: status.code })), events: own?.events, spans };
}

describe("the OpenTelemetry example", () => {
  it("creates a span for each request, as a child of the active one", async () => {
    const { fleet } = await fleetUnderTest({
      api: [{ status: 503 }, { body: { count: 0, data: [] } }],
      retries: 1,
      ...tracedCalls(tracer),
    });
    const span = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };
    const { below, events } = await traced(() => fleet.queryTachoActivity(span));
    expect(below.map(({ name, attributes, status }) => [name, attributes["http.response.status_code"], status])).toEqual([
      ["fleet requestAccessToken", 200, 0],
      ["fleet queryTachoActivity", 503, 2],
      ["fleet queryTachoActivity", 200, 0],
    ]);
    expect(below.map(({ attributes }) => attributes["http.request.resend_count"])).toEqual([0, 0, 1]);
    expect(events?.map(({ name, attributes }) => [name, attributes?.["fleet.code"]])).toEqual([["fleet retry", "upstream"]]);
  });

  it("ends the span of a request without a response, with the reason", async () => {
    const { fleet } = await fleetUnderTest({ api: [() => {}], ...tracedCalls(tracer) });
    const { below } = await traced(() => failure(fleet.listLivePositions({}, { timeout: 50, retries: 0 })));
    expect(below).toMatchObject([{ name: "fleet listLivePositions", attributes: { "error.type": "timeout" }, status: 2 }]);
  });

  it("puts no secret in a span", async () => {
    const { fleet } = await fleetUnderTest({ ...tracedCalls(tracer) });
    const { spans } = await traced(() => fleet.listLivePositions({ vehicleIds: ["v4711"] }));
    const written = JSON.stringify(spans.map(({ name, attributes, events }) => ({ name, attributes, events })));
    expect(written).toContain("fleet listLivePositions");
    for (const secret of ["canary", "v4711", "c42", "Basic"]) expect(written).not.toContain(secret);
  });
});
