import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createFleetClient, type Operation, operations, pathOf } from "@fleetwire/core";
import { onTestFinished } from "vitest";
import { fleetToolsConfigFromEnv } from "../src/model/settings.ts";
import { runTool } from "../src/run-tool.ts";
import { createToolContext } from "../src/tool-context.ts";
import type { Tool, ToolContext } from "../src/writes/write-tool.ts";

export const NOW = Date.parse("2026-11-20T08:34:00Z");

const CUSTOMER = "c42";

/** A request with its fields as received; those of path and query are strings. */
export interface Asked {
  operation: string;
  fields: Record<string, unknown>;
}

export interface CannedService {
  origin: string;
  asked: Asked[];
}

const TOKEN = { success: true, accessToken: "issued-token", token_type: "bearer", expires_in: 3600 };

/** Matches an operation's requests by path, with its placeholders as groups. */
const routeOf = (operation: Operation) => {
  const names = Object.keys(operation.params ?? {});
  const path = pathOf(operation, { customerId: CUSTOMER }, (_, name) => (name === "customerId" ? CUSTOMER : `(?<${name}>[^/]+)`));
  return { operation, names, line: new RegExp(`^${operation.method} ${path}$`) };
};

/** Serves canned responses on a loopback port until the test ends, with every server of the interface at one origin. */
export async function cannedService(
  respond: (asked: Asked) => unknown,
  served: readonly Operation[] = Object.values(operations),
): Promise<CannedService> {
  const service: CannedService = { origin: "", asked: [] };
  const routes = [...new Set([operations.requestAccessToken, ...served])].map(routeOf);
  const server = createServer(async (message, response) => {
    let text = "";
    for await (const chunk of message.setEncoding("utf8")) text += chunk;
    const { pathname, searchParams } = new URL(message.url ?? "/", service.origin);
    const line = `${message.method} ${pathname}`;
    const route = routes.find((one) => one.line.test(line));
    const name = route?.operation.name ?? line;
    const body = name === operations.requestAccessToken.name || text === "" ? {} : JSON.parse(text);
    const asked = { operation: name, fields: { ...route?.line.exec(line)?.groups, ...Object.fromEntries(searchParams), ...body } };
    if (name !== operations.requestAccessToken.name) service.asked.push(asked);
    const answer = name === operations.requestAccessToken.name ? TOKEN : await respond(asked);
    response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(answer ?? {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  service.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return service;
}

/** Tools for such a service, without a read cache. */
export function toolsOver({ origin }: CannedService, env: Record<string, string> = {}) {
  const config = fleetToolsConfigFromEnv({
    FLEET_CUSTOMER_ID: CUSTOMER,
    FLEET_CLIENT_ID: "client",
    FLEET_CLIENT_SECRET: "secret",
    FLEET_BASE_URL: origin,
    FLEET_API_HOST: origin,
    FLEET_JOB_URL: origin,
    FLEET_TACHO_URL: origin,
    FLEET_AUTH_URL: origin,
    FLEET_SNAPSHOT_SECONDS: "0",
    FLEET_TIME_ZONE: "UTC",
    ...env,
  });
  const context: ToolContext = createToolContext(createFleetClient({ ...config, retries: 0 }), config, () => NOW);
  return {
    context,
    config,
    budget: config.maxResultTokens,
    /** The result of a call that must succeed. */
    call: async (tool: Tool, args: Record<string, unknown> = {}) => {
      const result = await runTool(tool, args, context);
      if (!("text" in result)) throw new Error(`${tool.name}: ${JSON.stringify(result)}`);
      return result;
    },
    /** The error text of a call that must fail. */
    failure: async (tool: Tool, args: Record<string, unknown> = {}) => {
      const result = await runTool(tool, args, context);
      if (!("error" in result)) throw new Error(`${tool.name} did not fail: ${JSON.stringify(result)}`);
      return result.error;
    },
  };
}

/** The rows of a list, each with its values by column. */
export function rowsOf(structured: Readonly<Record<string, unknown>>): Record<string, unknown>[] {
  const { columns, rows } = structured as { columns: string[]; rows: unknown[][] };
  return rows.map((row) => Object.fromEntries(columns.flatMap((column, at) => (row[at] === null ? [] : [[column, row[at]]]))));
}
