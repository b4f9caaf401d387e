import { expect, it } from "vitest";
import { trustedProxies } from "../../src/http/trusted-proxies.ts";

it.each([
  [[], true],
  [["10.0.0.0/8", "::1", "fd00::/8", "192.0.2.7"], true],
  [["10.0.0.0/32", "::/128", "10.0.0.0/0"], true],
  [["10.0.0.0/33"], false],
  [["::/129"], false],
  [["10.0.0.0/8/8"], false],
  [["10.0.0.0/"], false],
  [["10.0.0.0/-1"], false],
  [["10.0.0.0/0008"], false],
  [["proxy.example"], false],
  [["10.0.0.1", "proxy"], false],
])("%j is a list of addresses and networks: %s", (entries, isOne) => {
  expect(trustedProxies(entries) !== undefined).toBe(isOne);
});

it.each([
  ["10.0.0.0/8", "10.1.2.3", true],
  ["10.0.0.0/8", "11.1.2.3", false],
  ["192.0.2.7", "192.0.2.7", true],
  ["192.0.2.7", "192.0.2.6", false],
  ["2001:db8::1", "2001:db8::1", true],
  ["2001:db8::1", "2001:db8::2", false],
])("%s alone is a proxy at %s: %s", (entry, peer, isTrusted) => {
  expect(trustedProxies([entry])?.callerOf(peer, "198.51.100.1").proxied).toBe(isTrusted);
});

it.each<[peer: string | undefined, forwarded: string | undefined, address: string | undefined, proxied: boolean]>([
  [undefined, "203.0.113.9", undefined, false],
  ["203.0.113.1", undefined, "203.0.113.1", false],
  ["203.0.113.1", "198.51.100.1", "203.0.113.1", false],
  ["10.1.2.3", undefined, "10.1.2.3", false],
  ["10.1.2.3", "", "10.1.2.3", true],
  ["10.1.2.3", "198.51.100.1", "198.51.100.1", true],
  ["10.1.2.3", "198.51.100.1, 203.0.113.9", "203.0.113.9", true],
  ["10.1.2.3", "198.51.100.1, 203.0.113.9, 10.9.9.9", "203.0.113.9", true],
  ["10.1.2.3", "10.9.9.9", "10.1.2.3", true],
  ["10.1.2.3", "198.51.100.1, <script>", "10.1.2.3", true],
  ["::ffff:10.1.2.3", "198.51.100.1:4711", "198.51.100.1", true],
  ["::FFFF:10.1.2.3", "::ffff:198.51.100.1", "198.51.100.1", true],
  ["10.1.2.3", "[2001:db8::1]:4711", "2001:db8::1", true],
  ["10.1.2.3", "198.51.100.1, ,", "198.51.100.1", true],
  ["10.1.2.3", " [2001:db8::1] ", "2001:db8::1", true],
  ["::1", "2001:db8::2, ::1", "2001:db8::2", true],
  ["::2", "2001:db8::2", "::2", false],
])("a request from %s with X-Forwarded-For %s is from %s (proxied: %s)", (peer, forwarded, address, proxied) => {
  expect(trustedProxies(["10.0.0.0/8", "::1"])?.callerOf(peer, forwarded)).toEqual({ address, proxied });
});
