import { expect, it } from "vitest";
import { growthOf, soakTenants } from "./tenant-soak.ts";

const SECONDS = Number(process.env["SOAK_SECONDS"] ?? 90);

it("200 customers at one server never see another's vehicle for a minute, and memory stays level", {
  timeout: (SECONDS + 120) * 1_000,
}, async () => {
  const report = await soakTenants({ tenants: 200, vehicles: 50, callers: 50, seconds: SECONDS });
  console.log(`200 customers, 50 callers: ${JSON.stringify(report)}`);
  expect(report).toMatchObject({ statuses: { 200: report.requests }, foreign: [] });
  expect(growthOf(report.memory)).toBeLessThan(1.15);
});
