import { expect, it } from "vitest";
import { prometheusMetrics } from "../../src/http/prometheus.ts";

const shown = async (metrics: ReturnType<typeof prometheusMetrics>) => (await metrics.render?.())?.text.split("\n") ?? [];

it("counts calls and requests in seconds, and those refused", async () => {
  const metrics = prometheusMetrics(() => 3);
  metrics.called("locate_vehicle", "ok", 250);
  metrics.responded(200, 1_500);
  metrics.responded(399, 10);
  metrics.responded(400, 10);
  metrics.responded(503, 10);
  const lines = await shown(metrics);
  expect(lines).toEqual(
    expect.arrayContaining([
      'fleetwire_tool_call_seconds_sum{tool="locate_vehicle",outcome="ok"} 0.25',
      'fleetwire_tool_call_seconds_bucket{le="0.25",tool="locate_vehicle",outcome="ok"} 1',
      'fleetwire_tool_call_seconds_bucket{le="0.1",tool="locate_vehicle",outcome="ok"} 0',
      'fleetwire_http_request_seconds_sum{status="200"} 1.5',
      'fleetwire_http_refused_total{status="400"} 1',
      'fleetwire_http_refused_total{status="503"} 1',
      "fleetwire_requests_in_flight 3",
    ]),
  );
  expect(lines.filter((line) => line.startsWith("fleetwire_http_refused_total{"))).toHaveLength(2);
  expect(lines.some((line) => line.startsWith("process_cpu_seconds_total"))).toBe(true);
  expect(lines.join()).not.toContain("fleetwire_redis_up");
  expect((await metrics.render?.())?.contentType).toMatch(/^text\/plain/);
});

it.each([
  [true, "fleetwire_redis_up 1"],
  [false, "fleetwire_redis_up 0"],
])("whether Redis can be reached, if it is used: %s", async (isSharing, line) => {
  expect(
    await shown(
      prometheusMetrics(
        () => 0,
        () => isSharing,
      ),
    ),
  ).toContain(line);
});
