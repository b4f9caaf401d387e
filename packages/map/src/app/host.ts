/** The messages of MCP Apps (revision 2026-01-26), which are JSON-RPC between the page and the window around it. */
const PROTOCOL_VERSION = "2026-01-26";
const METHOD_NOT_FOUND = -32601;

type Params = Record<string, unknown>;

interface Message {
  jsonrpc: "2.0";
  id?: string | number;
  method?: string;
  params?: Params;
  result?: unknown;
  error?: { code: number; message: string };
}

/** What the host reports about itself and how it shows the page. */
export interface HostContext {
  theme?: "light" | "dark";
  displayMode?: string;
  availableDisplayModes?: string[];
  containerDimensions?: { height?: number; maxHeight?: number };
  styles?: { variables?: Record<string, string> };
  toolInfo?: { tool?: { name?: string } };
}

export interface ToolResult {
  content?: { type: string; text?: string }[];
  structuredContent?: Params;
  isError?: boolean;
  _meta?: Params;
}

interface HostEvents {
  "ui/notifications/tool-input": { arguments?: Params };
  "ui/notifications/tool-result": ToolResult;
  "ui/notifications/tool-cancelled": { reason?: string };
  "ui/notifications/host-context-changed": HostContext;
}

export interface Host {
  context: HostContext;
  /** Whether the host forwards tool calls to the server. */
  callsTools: boolean;
  callTool(name: string, args: Params): Promise<ToolResult>;
  requestDisplayMode(mode: string): Promise<unknown>;
  setHeight(height: number): void;
  /** Tells the host that the page is ready for the call to show. */
  ready(): void;
}

/** Connects to the host that shows this page. Handlers are called for later notifications, in order. */
export async function connectToHost(
  appInfo: { name: string; title: string; version: string },
  handlers: { [Event in keyof HostEvents]: (params: HostEvents[Event]) => void },
): Promise<Host> {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  const send = (message: Omit<Message, "jsonrpc">) => window.parent.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const request = (method: string, params: Params) =>
    new Promise<unknown>((resolve, reject) => {
      waiting.set(++lastId, { resolve, reject });
      send({ id: lastId, method, params });
    });

  window.addEventListener("message", ({ data, source }: MessageEvent<Message | undefined>) => {
    if (source !== window.parent || data?.jsonrpc !== "2.0") return;
    const { id, method, params = {}, result, error } = data;
    if (method === undefined) {
      const waiter = waiting.get(Number(id));
      waiting.delete(Number(id));
      if (error) waiter?.reject(new Error(error.message));
      else waiter?.resolve(result);
    } else if (id === undefined) {
      if (Object.hasOwn(handlers, method)) handlers[method as keyof HostEvents](params as never);
    } else if (method === "ping" || method === "ui/resource-teardown") send({ id, result: {} });
    else send({ id, error: { code: METHOD_NOT_FOUND, message: `${method} is not supported` } });
  });

  const appCapabilities = { availableDisplayModes: ["inline", "fullscreen"] };
  const response = await request("ui/initialize", { appInfo, appCapabilities, protocolVersion: PROTOCOL_VERSION });
  const { hostContext = {}, hostCapabilities = {} } = response as {
    hostContext?: HostContext;
    hostCapabilities?: { serverTools?: object };
  };
  return {
    context: hostContext,
    callsTools: hostCapabilities.serverTools !== undefined,
    callTool: async (name, args) => (await request("tools/call", { name, arguments: args })) as ToolResult,
    requestDisplayMode: (mode) => request("ui/request-display-mode", { mode }),
    setHeight: (height) => send({ method: "ui/notifications/size-changed", params: { height } }),
    ready: () => send({ method: "ui/notifications/initialized" }),
  };
}
