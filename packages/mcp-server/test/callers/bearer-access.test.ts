import { OAuthError, OAuthErrorCode } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { bearerAccess, type TokenHolder, Unverifiable } from "../../src/callers/bearer-access.ts";
import type { ServedFleet } from "../../src/http/served-fleet.ts";
import type { ServerLog } from "../../src/log.ts";

const [north, south] = [{ tenant: "north" }, { tenant: "south" }] as unknown as ServedFleet[] as [ServedFleet, ServedFleet];
const byTenant = new Map([
  ["north", north],
  ["north-2", north],
  ["south", south],
]);

const holder: TokenHolder = {
  id: "anna",
  clientId: "host",
  scopes: ["fleet:read"],
  expiresAt: Date.now() / 1_000 + 60,
  tenants: ["north"],
};

function asked(verify: () => Promise<TokenHolder>, fleets: ServedFleet | ReadonlyMap<string, ServedFleet> = byTenant) {
  const access = bearerAccess({ verify, fleets, resourceMetadataUrl: "https://fleet.example/.well-known/x" });
  return access.authenticate(new Request("http://localhost/mcp", { headers: { authorization: "Bearer canary-token" } }));
}

const holds = (more: Partial<TokenHolder>) => async () => ({ ...holder, ...more });

describe("the holder of a token", () => {
  it.each<[string, Partial<TokenHolder>, ServedFleet | Map<string, ServedFleet>, ServedFleet]>([
    ["reaches the fleet of its tenant", {}, byTenant, north],
    ["reaches it if two of its values belong to it", { tenants: ["north", "north-2", "unknown"] }, byTenant, north],
    ["reaches the only fleet, whatever its tenant", { tenants: [] }, south, south],
  ])("%s", async (_, more, fleets, fleet) => {
    const caller = await asked(holds(more), fleets);
    expect(caller).toMatchObject({
      id: "anna",
      auth: { token: "", clientId: "host", scopes: ["fleet:read"], expiresAt: holder.expiresAt },
    });
    expect((caller as { fleet: ServedFleet }).fleet).toBe(fleet);
  });

  it("is logged with at most 128 characters of its id", async () => {
    expect(await asked(holds({ id: "a".repeat(129) }))).toMatchObject({ id: "a".repeat(128) });
  });

  it.each<[string, () => Promise<TokenHolder>, number, Record<string, string | RegExp>, RegExp]>([
    ["of no tenant", holds({ tenants: [] }), 403, {}, /No fleet is configured for this caller/],
    ["of an unknown tenant", holds({ tenants: ["west"] }), 403, {}, /No fleet is configured/],
    ["of two tenants", holds({ tenants: ["north", "south"] }), 403, {}, /No fleet is configured/],
    [
      "without the scope",
      holds({ scopes: ["fleet:write"] }),
      403,
      { "www-authenticate": /insufficient_scope.*fleet:read.*well-known/ },
      /./,
    ],
    ["that has expired", holds({ expiresAt: 1 }), 401, { "www-authenticate": /invalid_token.*well-known/ }, /./],
    [
      "that cannot be verified",
      () => Promise.reject(new Unverifiable("does not respond")),
      503,
      { "retry-after": "1", connection: "close" },
      /does not respond/,
    ],
    [
      "whose verification fails",
      () => Promise.reject(new RangeError("canary-database")),
      503,
      { "retry-after": "1", connection: "close" },
      /cannot be verified\. Try again later/,
    ],
    [
      "that is unknown",
      () => Promise.reject(new OAuthError(OAuthErrorCode.InvalidToken, "Unknown token")),
      401,
      { "www-authenticate": /Unknown token.*well-known/ },
      /./,
    ],
  ])("%s is refused", async (_, verify, status, headers, text) => {
    const response = (await asked(verify)) as Response;
    expect(response.status).toBe(status);
    for (const [name, value] of Object.entries(headers)) expect(response.headers.get(name)).toMatch(value);
    expect(await response.text()).toMatch(text);
  });

  it("is refused, and the log says which error the verification threw", async () => {
    const lines: unknown[] = [];
    const log = { error: (line: object, text: string) => lines.push({ ...line, text }) } as unknown as ServerLog;
    for (const reason of [
      new RangeError("canary-database"),
      "canary-text",
      new Unverifiable("keys"),
      new OAuthError(OAuthErrorCode.InvalidToken, "x"),
    ]) {
      const access = bearerAccess({ verify: () => Promise.reject(reason), fleets: south, log });
      await access.authenticate(new Request("http://localhost/mcp", { headers: { authorization: "Bearer canary-token" } }));
    }
    expect(lines).toEqual(["RangeError", "string"].map((error) => ({ error, text: "token not verified" })));
  });

  it("may be of any fleet that is served, each listed once", () => {
    expect(bearerAccess({ verify: holds({}), fleets: byTenant }).fleets).toEqual([north, south]);
    expect(bearerAccess({ verify: holds({}), fleets: south })).toEqual({ authenticate: expect.any(Function), fleets: [south] });
  });

  it("may find the authorization server in the documents given", () => {
    const metadata = async () => undefined;
    expect(bearerAccess({ verify: holds({}), fleets: south, metadata }).metadata).toBe(metadata);
  });
});
