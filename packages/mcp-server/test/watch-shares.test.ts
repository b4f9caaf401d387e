import { readFileSync, writeFileSync } from "node:fs";
import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fleetService } from "../../tools/test/served-fleet.ts";
import { bearer, served, tokensFile } from "./callers-under-test.ts";
import { httpUnderTest } from "./http-under-test.ts";
import { connectedHost, environmentOf } from "./server-under-test.ts";

const FLEET = Array.from({ length: 500 }, (_, at) => ({ assetId: `v${at}`, assetName: `Truck ${at}` }));
/** The fleet is read once, and not for every vehicle. */
const CACHED = { FLEET_SNAPSHOT_SECONDS: "60" };
const READ = { scopes: ["fleet:read"] } as const;

/** The resources of these vehicles. */
const vehicles = (from: number, to: number) => FLEET.slice(from, to).map(({ assetId }) => `fleet://vehicle/${assetId}`);

async function underTest(limits: { watchesPerCaller?: number; tokenCheckMs?: number } = {}, expires?: Date) {
  const service = await fleetService({ listLivePositions: () => ({ body: FLEET }) });
  const { file, tokens } = tokensFile({ anna: READ, ben: { ...READ, expires } });
  const { http } = await served(
    { ...environmentOf(service.origin), ...CACHED, FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file },
    limits,
  );
  const [anna, ben] = [await connectedHost(http.url, { token: tokens.anna }), await connectedHost(http.url, { token: tokens.ben })];
  const listen = (client: Client, uris: string[]) => client.listen({ resourceSubscriptions: uris });
  return { anna, ben, listen, url: http.url, file, tokens };
}

/** Subscribes with nothing but HTTP, as the specification says. Resolves once the stream has ended. */
async function subscription(url: string, token: string): Promise<unknown> {
  const ending = new AbortController();
  onTestFinished(() => ending.abort());
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "listener", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const method = "subscriptions/listen";
  const response = await fetch(url, {
    method: "POST",
    headers: {
      ...bearer(token),
      ...{ accept: "application/json, text/event-stream", "content-type": "application/json" },
      ...{ "mcp-protocol-version": "2026-07-28", "mcp-method": method },
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 7, method, params: { notifications: { resourceSubscriptions: vehicles(0, 1) }, _meta } }),
    signal: ending.signal,
  });
  expect(response.status).toBe(200);
  return response.text();
}

it.each(["is revoked", "has expired"])("a subscription ends once the token %s, and nobody else's does", async (what) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const expires = new Date(Date.now() + 60_000);
  const { url, file, tokens } = await underTest({ tokenCheckMs: 100 }, expires);
  const ended: string[] = [];
  for (const name of ["anna", "ben"] as const)
    void subscription(url, tokens[name]).then(
      () => ended.push(name),
      () => {},
    );
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(ended).toEqual([]);
  const { tokens: known } = JSON.parse(readFileSync(file, "utf8")) as { tokens: { name: string }[] };
  if (what === "is revoked") writeFileSync(file, JSON.stringify({ tokens: known.filter(({ name }) => name !== "ben") }));
  else vi.setSystemTime(expires.getTime() + 1);
  await vi.waitFor(() => expect(ended).toEqual(["ben"]), 10_000);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(ended).toEqual(["ben"]);
});

describe("the vehicles that a caller may watch", () => {
  it.each([0, 60])("are 100, %i of them watched before, so that other callers of the customer can watch some too", async (before) => {
    const { anna, ben, listen } = await underTest();
    if (before > 0) await listen(anna, vehicles(0, before));
    const refused = listen(anna, vehicles(before, 101));
    await expect(refused).rejects.toThrow(/your limit of 100 watched vehicles is reached; end a subscription first/);
    await listen(anna, vehicles(before, 100));
    await listen(ben, vehicles(0, 100));
  });

  it("are counted once each, and again once a subscription has ended", async () => {
    const { anna, listen } = await underTest();
    const first = await listen(anna, vehicles(0, 100));
    const same = await listen(anna, vehicles(0, 100));
    await expect(listen(anna, vehicles(100, 101))).rejects.toThrow(/your limit of 100 watched vehicles/);
    await first.close();
    await expect(listen(anna, vehicles(100, 101))).rejects.toThrow(/your limit of 100 watched vehicles/);
    await same.close();
    await vi.waitFor(() => listen(anna, vehicles(100, 200)), 10_000);
  });

  it("do not include other resources, and are as many as an embedding program sets", async () => {
    const { anna, listen } = await underTest({ watchesPerCaller: 1 });
    await listen(anna, ["fleet://other/1", "fleet://other/2", ...vehicles(0, 1)]);
    await expect(listen(anna, vehicles(1, 2))).rejects.toThrow(/your limit of 1 watched/);
  });
});

it("without authentication, one request may watch 250 vehicles, so that the next can watch some too", async () => {
  const { host } = await httpUnderTest({ listLivePositions: () => ({ body: FLEET }) }, CACHED);
  const client = await host("auto");
  const listen = (from: number, to: number) => client.listen({ resourceSubscriptions: vehicles(from, to) });
  const warned: string[] = [];
  const warn = ({ name }: Error) => void warned.push(name);
  process.on("warning", warn);
  onTestFinished(() => void process.off("warning", warn));
  await expect(listen(0, 251)).rejects.toThrow(/your limit of 250 watched vehicles is reached/);
  await listen(0, 250);
  await listen(250, 500);
  expect(warned).toEqual([]);
});
