import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { rawSandbox } from "./raw-sandbox.ts";
import { serverUnderTest, textOf } from "./server-under-test.ts";

const COSTS: readonly (readonly [tool: string, max: number])[] = [
  ["list_live_positions", 25],
  ["list_vehicle_faults", 25],
  ["driver_hours", 35],
  ["query_tacho_activity", 30],
  ["list_jobs", 50],
  ["list_tire_events", 50],
];

it("a row costs at most 25 tokens (o200k) by default, 35 in hours, or 50 if its fields are undocumented, in the text and in the record", async () => {
  const now = Date.parse("2026-11-20T16:00:00Z");
  const { sandbox } = rawSandbox(now);
  const { env } = await sandbox.listen();
  const { call } = await serverUnderTest({ env: { ...env }, now: () => now });
  for (const jobTitle of ["Collect 4 pallets", "Deliver parcels", "Service visit", "Empty the container", "Collect 2 pallets"])
    await call("create_job", { jobTitle, address: "Quai Perrache 10, Lyon", vehicleName: "Truck 12" });
  for (const [tool, max] of COSTS) {
    const result = await call(tool);
    const { rows } = result.structuredContent as { rows: unknown[][] };
    const lines = textOf(result)
      .split("\n")
      .slice(2, 2 + rows.length);
    const perRow = [lines.join("\n"), JSON.stringify(rows)].map((shown) => countTokens(shown) / rows.length);
    expect(Math.max(...perRow), tool).toBeLessThanOrEqual(max);
  }
  await sandbox.close();
});
