import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

// The module keeps the formatters of the zone that it first met.
beforeEach(() => void vi.resetModules());
afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

describe("the host's time zone", () => {
  it.each([
    { tz: "Europe/Paris", zone: "Europe/Paris" },
    { tz: ":Europe/Paris", zone: "Europe/Paris" },
    { tz: "UTC", zone: "UTC" },
    { tz: ":/etc/localtime", zone: /^(UTC|server time)$/ },
    { tz: "/usr/share/zoneinfo/Europe/Paris", zone: "server time" },
    { tz: "Nowhere/Special", zone: "UTC" },
    { tz: "Etc/Unknown", zone: "UTC" },
    { tz: "UTC+3", zone: "server time" },
    { tz: "", zone: "UTC" },
  ])("is named in results if TZ is '$tz'", async ({ tz, zone }) => {
    vi.stubEnv("TZ", tz);
    const { zonedTimes } = await import("../src/text/time.ts");
    const times = zonedTimes(undefined, Date.UTC(2026, 10, 20, 9, 30));
    expect(times.zone).toMatch(zone);
    expect(times.note).toBe(`Times in ${times.zone}, now ${times.text(times.now)}.`);
  });
});
