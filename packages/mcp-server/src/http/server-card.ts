import { Hono } from "hono";
import { cors } from "hono/cors";
import { etag } from "hono/etag";
import { serverIdentity } from "../mcp/server-identity.ts";

const CARD_TYPE = "application/mcp-server-card+json";
const CATALOG_TYPE = "application/ai-catalog+json";
const SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

const CACHE = "public, max-age=3600";

/**
 * Serves what clients read before they connect (SEP-2127): the server card at the place that MCP reserves for it and at the one that earlier drafts
 * named, and the AI catalogue that points to it. They are the same for everyone, and say nothing of customers, tools or the fleet.
 */
export function serverCardRoutes(path: string, version: string, { href, hostname }: URL): Hono {
  const { name, title, description, icons } = serverIdentity(version, {});
  const card = {
    $schema: SCHEMA,
    name: `${hostname.split(".").toReversed().join(".")}/${name}`,
    title,
    description,
    version,
    icons,
    remotes: [{ type: "streamable-http", url: href }],
  };
  const entry = { identifier: `urn:air:${hostname}:mcp:${name}`, type: CARD_TYPE, url: `${href.replace(/\/$/, "")}/server-card` };

  const routes = new Hono({ strict: false });
  const documents = [
    [`${path}/server-card`, CARD_TYPE, card],
    ["/.well-known/mcp/server-card.json", CARD_TYPE, card],
    ["/.well-known/ai-catalog.json", CATALOG_TYPE, { specVersion: "1.0", entries: [entry] }],
  ] as const;
  const readable = cors({ origin: "*", allowMethods: ["GET"], allowHeaders: ["content-type", "if-none-match"], exposeHeaders: ["etag"] });
  for (const [at, type, document] of documents) {
    const body = JSON.stringify(document);
    routes.get(at, readable, etag(), (c) => c.body(body, 200, { "content-type": type, "cache-control": CACHE })).options(at, readable);
  }
  return routes;
}
