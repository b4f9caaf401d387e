import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { SERVER } from "@fleetwire/packaging/started-program";
import { type CallToolResult, Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { build } from "esbuild";
import type { Browser, Frame, Page } from "playwright-core";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export const MIME_TYPE = "text/html;profile=mcp-app";
export const APPS = { "io.modelcontextprotocol/ui": { mimeTypes: [MIME_TYPE] } };

/** A client of the built server. Pass the `extensions` that a host with support for apps declares. */
export async function connect(env: Record<string, string>, extensions?: typeof APPS, args: string[] = []): Promise<Client> {
  const client = new Client({ name: "test-host", version: "1.0.0" }, { capabilities: { ...(extensions && { extensions }) } });
  const path = process.env["PATH"] ?? "";
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [SERVER, ...args], env: { PATH: path, ...env }, stderr: "ignore" }),
  );
  return client;
}

interface ResourceUi {
  csp: { connectDomains: string[]; resourceDomains: string[] };
}

/** The app's page, as hosts read it. */
export async function readApp(client: Client): Promise<{ html: string; mimeType: string | undefined; ui: ResourceUi }> {
  const { contents } = await client.readResource({ uri: "ui://fleetwire/map" });
  const [content] = contents as unknown as { text: string; mimeType?: string; _meta: { ui: ResourceUi } }[];
  if (!content) throw new Error("no content");
  return { html: content.text, mimeType: content.mimeType, ui: content._meta.ui };
}

/** The content security policy under which hosts run an app that declares these origins (revision 2026-01-26). */
const policyOf = ({ csp }: ResourceUi) =>
  [
    "default-src 'none'",
    `script-src 'self' 'unsafe-inline' ${csp.resourceDomains.join(" ")}`,
    `style-src 'self' 'unsafe-inline' ${csp.resourceDomains.join(" ")}`,
    `img-src 'self' data: ${csp.resourceDomains.join(" ")}`,
    `connect-src ${csp.connectDomains.length > 0 ? csp.connectDomains.join(" ") : "'none'"}`,
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'self'",
  ].join("; ");

/** Serves pages on two origins: the host's and the app's. */
async function servePages(pages: Record<string, { html: string; policy?: string }>) {
  const server = createServer(({ url }, response) => {
    const page = pages[url ?? ""];
    const headers = { "content-type": "text/html; charset=utf-8", ...(page?.policy && { "content-security-policy": page.policy }) };
    response.writeHead(page ? 200 : 404, headers).end(page?.html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}

let hostScript: Promise<string> | undefined;
const bundledHost = async () => {
  const { outputFiles } = await build({ entryPoints: [here("host-page.mjs")], bundle: true, format: "iife", write: false });
  return outputFiles[0]?.text.replaceAll("</script", "<\\/script") ?? "";
};

export interface ShownApp {
  page: Page;
  frame: Frame;
  /** What the host's model received. */
  result: CallToolResult;
  /** Requests that the page has sent since it was opened. */
  requests: string[];
  /** Errors reported by the browser, such as policy violations. */
  complaints: string[];
  /** Tools that the app has called. */
  calls: { name: string; arguments?: Record<string, unknown> }[];
  close(): Promise<void>;
}

interface AppOptions {
  theme?: "light" | "dark";
  viewport?: { width: number; height: number };
  callsTools?: boolean;
}

/** Calls a tool as a host's model would, and shows the app with the result. */
export async function showApp(
  browser: Browser,
  client: Client,
  call: { name: string; arguments: Record<string, unknown> },
  { theme = "light", viewport = { width: 900, height: 520 }, callsTools = true }: AppOptions = {},
): Promise<ShownApp> {
  const { html, ui } = await readApp(client);
  hostScript ??= bundledHost();
  const hostHtml = `<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><title>Host</title>
<style>body { margin: 0 } iframe { display: block; width: 100%; height: 400px; border: 0 }</style><main></main><script>${await hostScript}</script></html>`;
  const served = await servePages({ "/host": { html: hostHtml }, "/app": { html, policy: policyOf(ui) } });
  const result = (await client.callTool(call)) as CallToolResult;
  const page = await browser.newPage({ viewport });
  const shown = { requests: [] as string[], complaints: [] as string[], calls: [] as ShownApp["calls"] };
  page.on("request", (request) => shown.requests.push(request.url()));
  page.on("console", (message) => message.type() === "error" && shown.complaints.push(message.text()));
  page.on("pageerror", (error) => shown.complaints.push(String(error)));
  page.on("dialog", (dialog) => shown.complaints.push(`dialog: ${dialog.message()}`));
  await page.exposeFunction("callTool", (params: { name: string; arguments?: Record<string, unknown> }) => {
    shown.calls.push(params);
    return client.callTool(params);
  });
  await page.goto(`http://127.0.0.1:${served.port}/host`);
  const app = `http://localhost:${served.port}/app`;
  const options = { url: app, toolName: call.name, args: call.arguments, result, theme, callsTools };
  await page.evaluate((given) => (window as unknown as { showApp(given: unknown): Promise<void> }).showApp(given), options);
  const frame = page.frame({ url: app });
  if (!frame) throw new Error("the app has no frame");
  if (callsTools) await frame.waitForFunction(() => document.querySelectorAll(".fleet-map-list option").length > 0);
  const close = async () => {
    await page.close();
    served.close();
  };
  return { page, frame, result, ...shown, close };
}
