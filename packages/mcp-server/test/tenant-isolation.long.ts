import { describe, expect, it } from "vitest";
import { soakTenants } from "./tenant-soak.ts";

const SECONDS = Number(process.env["SOAK_SECONDS"] ?? 180);

describe("200 customers at one server, for minutes", () => {
  it(
    "never see another's vehicle, and memory stays level",
    async () => {
      const report = await soakTenants({ tenants: 200, vehicles: 50, callers: 50, seconds: SECONDS });
      console.log(`200 customers, 50 callers: ${JSON.stringify(report)}`);
      const { statuses, foreign, memory, requests } = report;
      expect({ statuses, foreign }).toEqual({ statuses: { 200: requests }, foreign: [] });
      // The first third is warming up.
      const settled = memory.slice(Math.floor(memory.length / 3));
      const half = Math.floor(settled.length / 2);
      const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
      expect(mean(settled.slice(half)) / mean(settled.slice(0, half))).toBeLessThan(1.15);
    },
    (SECONDS + 120) * 1_000,
  );
});
