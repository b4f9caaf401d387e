import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

// The modules keep the formatters of the zone that they first met.
beforeEach(() => void vi.resetModules());
afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

describe("the host's time zone", () => {
  it.each([
    { tz: "Europe/Paris", zone: "Europe/Paris" },
    { tz: ":/etc/localtime", zone: /^(UTC|server time)$/ },
    { tz: "/usr/share/zoneinfo/Europe/Paris", zone: "server time" },
    { tz: "Nowhere/Special", zone: "UTC" },
    { tz: "", zone: "UTC" },
  ])("is named in results if TZ is '$tz'", async ({ tz, zone }) => {
    vi.stubEnv("TZ", tz);
    const { servedFleet } = await import("./served-fleet.ts");
    const script = { listLivePositions: () => ({ body: [{ assetId: "v1", assetName: "Truck 1", date: "2026-11-20T08:30:00Z" }] }) };
    const { text } = await servedFleet({ script, env: { FLEET_TIME_ZONE: undefined } });
    expect(/2026-11-20 \d\d:\d\d in ([^,]+), 4 min ago/.exec(await text("locate_vehicle", { query: "truck 1" }))?.[1]).toMatch(zone);
  });
});
