import { Hono } from "hono";
import { cors } from "hono/cors";
import { etag } from "hono/etag";
import { serverIdentity } from "../mcp/server-identity.ts";

const CARD_TYPE = "application/mcp-server-card+json";
const CATALOG_TYPE = "application/ai-catalog+json";
const SCHEMA = "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json";

const CACHE = "public, max-age=3600";

/**
 * Serves what clients read before they connect: the server card at the place that MCP reserves for it and at the one that earlier drafts named, and the
 * AI catalogue that points to it. Both are the same for everyone, and say nothing of customers, tools or the fleet.
 */
export function serverCardRoutes(path: string, version: string, publicUrl: URL | undefined): Hono {
  const { name: product, title, description, icons } = serverIdentity(version, {});
  const urlOf = (request: string) => publicUrl ?? new URL(path, request);
  // A name in a card consists of a domain, backwards, and a name. An IPv6 address has brackets and colons.
  const domainOf = ({ hostname }: URL) => hostname.replace(/[^a-z0-9.-]/gi, "");
  const card = (url: URL) => ({
    $schema: SCHEMA,
    name: `${domainOf(url).split(".").toReversed().join(".")}/${product}`,
    title,
    description,
    version,
    icons,
    remotes: [{ type: "streamable-http", url: url.href }],
  });
  const catalog = (url: URL) => ({
    specVersion: "1.0",
    entries: [{ identifier: `urn:air:${domainOf(url)}:mcp:${product}`, type: CARD_TYPE, url: `${url.href.replace(/\/$/, "")}/server-card` }],
  });

  const routes = new Hono({ strict: false });
  const documents = [
    [`${path}/server-card`, CARD_TYPE, card],
    ["/.well-known/mcp/server-card.json", CARD_TYPE, card],
    ["/.well-known/ai-catalog.json", CATALOG_TYPE, catalog],
  ] as const;
  for (const [at, type, documentOf] of documents) {
    routes.use(at, cors({ origin: "*", allowMethods: ["GET"], allowHeaders: ["content-type", "if-none-match"], exposeHeaders: ["etag"] }), etag());
    routes.get(at, (c) => c.body(JSON.stringify(documentOf(urlOf(c.req.url))), 200, { "content-type": type, "cache-control": CACHE }));
  }
  return routes;
}
