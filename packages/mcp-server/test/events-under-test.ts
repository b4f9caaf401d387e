import { readFileSync, writeFileSync } from "node:fs";
import type { LivePosition } from "@fleetwire/core";
import { type Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, onTestFinished, vi } from "vitest";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { bearer, messageIn, served, tokensFile } from "./callers-under-test.ts";
import { hostClient } from "./host-client.ts";
import { environmentOf } from "./server-under-test.ts";

export const EXTENSION = "io.modelcontextprotocol/events";
const START = Date.parse("2026-11-20T08:00:00Z");
export const at = (minute: number, start = START) => new Date(start + minute * 60_000).toISOString();
export const AWAY = { latitude: 48.85, longitude: 2.35, city: "Paris", country: "France" };
export const DEPOT = { latitude: 45.75, longitude: 4.85, city: "Lyon", country: "France", locationId: "loc1", locationName: "Lyon Depot" };
export const ARRIVES = { name: "arrives", arguments: { vehicle: "Van 1", at: { location: "Lyon Depot" } } };

/** A fleet whose van a test moves, with a clock of its own. */
export function movingFleet(start = START) {
  let [minute, reads] = [0, 0];
  let van: LivePosition = AWAY;
  const records = () => [
    { assetId: "v1", assetName: "Van 1", driverId: "d1", driverName: "Ana Silva", date: at(minute, start), ...van },
    { assetId: "v2", assetName: "Truck 2", date: at(minute, start), ...DEPOT },
  ];
  return {
    script: {
      listLivePositions: () => {
        reads++;
        return { body: records() };
      },
    },
    now: () => start + minute * 60_000,
    /** A minute later, the van is there. */
    move: (place: LivePosition) => {
      minute++;
      van = place;
    },
    /** Waits until somebody has seen what there is, asking meanwhile. A read may have begun before. */
    isSeen: (ask: () => Promise<unknown> = async () => {}) => {
      const before = reads;
      return vi.waitFor(async () => {
        await ask();
        expect(reads).toBeGreaterThan(before + 1);
      }, 15_000);
    },
  };
}

/** What is read counts as current for a moment. */
export const FAST = { FLEET_SNAPSHOT_SECONDS: "0.05" };
const READ = { scopes: ["fleet:read"] } as const;

export async function callersUnderTest(
  limits: { eventsPerCaller?: number; eventVehicles?: number; tokenCheckMs?: number } = {},
  expires?: Date,
  env: Record<string, string> = {},
) {
  const fleet = movingFleet(Date.now() - 60 * 60_000);
  const service = await fleetService(fleet.script);
  const { file, tokens } = tokensFile({ anna: READ, ben: { ...READ, expires } });
  const settings = { ...environmentOf(service.origin), ...FAST, FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file, ...env };
  const { http } = await served(settings, limits);
  const host = async (token: string): Promise<Client> => {
    const client = hostClient("auto");
    await client.connect(new StreamableHTTPClientTransport(new URL(http.url), { requestInit: { headers: bearer(token) } }));
    onTestFinished(() => client.close());
    return client;
  };
  return {
    url: http.url,
    tokens,
    host,
    fleet,
    /** Takes a caller's token away. The file is read again within a second, or as often as tokens are checked. */
    revoke: (caller: string) => {
      const { tokens: known } = JSON.parse(readFileSync(file, "utf8")) as { tokens: { name: string }[] };
      writeFileSync(file, JSON.stringify({ tokens: known.filter(({ name }) => name !== caller) }));
    },
  };
}

/** Sends a request as SEP-3415 and the transport describe it, with nothing but HTTP. */
export function post(
  url: string,
  token: string,
  method: string,
  params: object,
  accept = "application/json, text/event-stream",
  signal?: AbortSignal,
): Promise<Response> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "sep", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": { extensions: { [EXTENSION]: {} } },
  };
  const headers = {
    ...bearer(token),
    ...{ accept, "content-type": "application/json", "mcp-protocol-version": "2026-07-28", "mcp-method": method },
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 7, method, params: { ...params, _meta } });
  return fetch(url, { method: "POST", headers, body, ...(signal && { signal }) });
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
export const resultOf = async (response: Response): Promise<any> => messageIn(await response.text());
