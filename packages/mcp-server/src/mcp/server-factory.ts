import { type JsonSchemaValidatorResult, type jsonSchemaValidator, type McpRequestContext, McpServer } from "@modelcontextprotocol/server";
import type { ServerConfig } from "../server-config.ts";
import { type RequestObserver, receivedIn, wrapHandlers } from "./around.ts";
import { createMapApp, hasMapPage } from "./map-app.ts";
import { promptRegistrar } from "./register-prompts.ts";
import { resourceRegistrar } from "./register-resources.ts";
import { toolRegistrar } from "./register-tools.ts";
import type { ServedTools } from "./served-tools.ts";
import { serverIdentity } from "./server-identity.ts";
import { createSubscriptions, type Subscriptions } from "./subscriptions.ts";

// Lists never change while the process runs, but the next process may be configured differently.
const LIST_MS = 300_000;

const cacheHints = (ttlMs: number) => {
  const listed = { ttlMs, cacheScope: "private" } as const;
  return {
    "tools/list": listed,
    "prompts/list": listed,
    "resources/list": listed,
    "resources/templates/list": listed,
    "server/discover": listed,
  };
};

/** Lists depend only on the configuration, so hosts need not listen for changes. By default, the SDK says that they should. */
function announceNoChanges({ server }: McpServer): void {
  const { tools, prompts, resources } = server.getCapabilities();
  const offered = Object.entries({ tools, prompts, resources }).filter(([, capability]) => capability !== undefined);
  server.registerCapabilities(Object.fromEntries(offered.map(([kind, capability]) => [kind, { ...capability, listChanged: false }])));
}

// The SDK uses it for replies to our form only, which elicitation.ts reads strictly. Its own validator takes as long to load as the rest of the SDK.
const ANY_REPLY: jsonSchemaValidator = {
  getValidator:
    <Value>() =>
    (data: unknown) =>
      ({ valid: true, data, errorMessage: undefined }) as JsonSchemaValidatorResult<Value>,
};

export interface ServerFactory {
  (context?: McpRequestContext): McpServer;
  /** The vehicles that hosts watch. Undefined if vehicles are not offered as resources. */
  subscriptions: Subscriptions | undefined;
  /** Resolves once no write is in flight, including writes whose callers have disconnected. */
  writesSettled(): Promise<void>;
}

/** Returns a factory for servers that all serve the same tools. */
export function serverFactoryOf(tools: ServedTools, config: ServerConfig, version: string, observer?: RequestObserver): ServerFactory {
  const { instructions } = tools;
  const callable = [...tools.tools, ...tools.unavailable, ...(tools.withheld ?? [])];
  const names = new Set(callable.flatMap(({ name, aliases }) => [name, ...aliases]));
  const identity = serverIdentity(version, config);
  const map = tools.byName.has("locate_vehicle") && hasMapPage() ? createMapApp(tools, config) : undefined;
  const { registerAll, registerFor } = toolRegistrar(tools, config.result, map);
  const registrars = [...(map ? [map.register] : []), registerAll, promptRegistrar(tools, config), resourceRegistrar(tools, config)];
  // A caller from whom tools are withheld may be granted more scopes at any time.
  const hints = cacheHints(tools.withheld === undefined ? LIST_MS : 0);
  const subscriptions = tools.byName.has("locate_vehicle") ? createSubscriptions(tools) : undefined;
  const create = (context?: McpRequestContext) => {
    const server = new McpServer(identity, { instructions, cacheHints: hints, jsonSchemaValidator: ANY_REPLY });
    wrapHandlers(server, { identity, visible: map?.visible, observer, tools: names });
    // HTTP creates a server for each request. Registering everything would take longer than many calls.
    const message = receivedIn(context?.authInfo)?.message;
    if (message && registerFor(server, message)) return server;
    for (const register of registrars) register(server, context);
    announceNoChanges(server);
    subscriptions?.register(server, context);
    return server;
  };
  return Object.assign(create, { subscriptions, writesSettled: tools.writesSettled });
}
