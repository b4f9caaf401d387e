import { expect, it } from "vitest";
import { soakTenants } from "./tenant-soak.ts";

it.skipIf(process.platform !== "linux")("20 customers at one server never see another's vehicle: 20 callers at a time", async () => {
  const report = await soakTenants({ tenants: 20, vehicles: 20, callers: 20, requests: 100 });
  expect(report).toMatchObject({ statuses: { 200: 100 }, foreign: [] });
});
