import { describe, expect, it } from "vitest";
import { soakTenants } from "./tenant-soak.ts";

describe.skipIf(process.platform !== "linux")("200 customers at one server", () => {
  it("never see another's vehicle: 50 callers at a time", async () => {
    const report = await soakTenants({ tenants: 200, vehicles: 20, callers: 50, requests: 400 });
    console.log(`200 customers, 50 callers: ${JSON.stringify(report)}`);
    expect(report).toMatchObject({ statuses: { 200: 400 }, foreign: [] });
  });
});
