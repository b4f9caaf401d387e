import { describe, expect, it } from "vitest";
import { hostOrOriginRefusal } from "../../src/http/host-and-origin.ts";
import { loopbackAddress } from "../../src/http/loopback.ts";

const allowed = { hosts: ["fleet.example"], origins: ["https://claude.ai"], localPages: false };

function refusal(
  hosts: readonly string[],
  origin: string | null = null,
  { target = "/mcp", ...more }: Partial<typeof allowed> & { target?: string } = {},
) {
  return hostOrOriginRefusal({ hosts, target, proxied: false, written: Promise.resolve(true) }, origin, { ...allowed, ...more });
}

describe("the Host", () => {
  it.each(["localhost", "LOCALHOST:8080", "127.0.0.1", "127.255.3.9:1", "[::1]:8080", "fleet.example", "Fleet.Example:443"])(
    "%s is accepted",
    (host) => {
      expect(refusal([host])).toBeUndefined();
    },
  );

  it.each([
    [[]],
    [["localhost", "localhost"]],
    [[""]],
    [["a b"]],
    [["localhost:123456"]],
    [["localhost:x"]],
    [["user@localhost"]],
    [["::1"]],
  ])("%j is invalid", (hosts) => {
    expect(refusal(hosts)).toEqual({ status: 400, message: "Invalid Host header: send exactly one host, optionally with a port" });
  });

  it.each(["evil.example", "127.0.0.256", "127.0.0.1.evil.example", "128.0.0.1", "xlocalhost", "[::2]"])("%s is rejected", (host) => {
    expect(refusal([host])).toEqual({ status: 403, message: "Invalid Host: the server does not have this name" });
    expect(refusal([host], null, { hosts: [] })?.message).toBe("Invalid Host: only requests from this machine are accepted");
  });

  it("cannot be given in the request target", () => {
    expect(refusal(["localhost"], null, { target: "http://evil.example/mcp" })).toMatchObject({
      status: 400,
      message: /^Invalid request target/,
    });
  });
});

describe("the Origin", () => {
  it.each([null, "", "https://claude.ai", "HTTPS://CLAUDE.AI"])("%s is accepted", (origin) => {
    expect(refusal(["localhost"], origin)).toBeUndefined();
  });

  it.each(["http://localhost:3000", "http://127.0.0.1", "https://127.9.9.9:1", "http://[::1]:3000"])(
    "%s is accepted only if pages on this machine are",
    (origin) => {
      expect(refusal(["localhost"], origin)).toEqual({
        status: 403,
        message: "Invalid Origin: only listed web pages (FLEET_ALLOWED_ORIGINS) may send requests",
      });
      expect(refusal(["localhost"], origin, { localPages: true })).toBeUndefined();
    },
  );

  it.each([
    "https://evil.example",
    "null",
    "http://user@localhost",
    "ftp://127.0.0.1",
    "ftp://127.0.0.2",
    "http://128.0.0.1",
    "https://claude.ai.evil.example",
  ])("%s is rejected", (origin) => {
    expect(refusal(["localhost"], origin, { localPages: true })).toEqual({
      status: 403,
      message: "Invalid Origin: only web pages on this machine may send requests",
    });
  });
});

it.each([
  ["localhost", "127.0.0.1"],
  ["127.1.2.3", "127.1.2.3"],
  ["::1", "::1"],
  ["[::1]", "::1"],
  ["128.0.0.1", undefined],
  ["", undefined],
])("the host %j denotes the loopback address %s", (host, address) => {
  expect(loopbackAddress(host)).toBe(address);
});
