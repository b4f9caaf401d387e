import { expect, it } from "vitest";
import { soakTenants } from "./tenant-soak.ts";

it.skipIf(process.platform !== "linux")("50 customers at one server never see another's vehicle: 50 callers at a time", async () => {
  const report = await soakTenants({ tenants: 50, vehicles: 20, callers: 50, requests: 200 });
  expect(report).toMatchObject({ statuses: { 200: 200 }, foreign: [] });
});
