import type { VariableTable, VariableValues } from "@fleetwire/core";
import { oneOf } from "@fleetwire/core/internal";
import * as z from "zod";
import { environmentVariables } from "../server-config.ts";
import { loopbackAddress, type TrustedProxies, trustedProxies } from "./trusted-proxies.ts";

const entriesOf = (text: string) =>
  text
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);

function urlIn(text: string): URL | undefined {
  try {
    const url = new URL(text);
    const isSafe = url.protocol === "https:" || (url.protocol === "http:" && loopbackAddress(url.hostname) !== undefined);
    const hasNoExtras = url.username === "" && url.search === "" && url.hash === "";
    return isSafe && hasNoExtras && !url.hostname.includes("*") ? url : undefined;
  } catch {
    return undefined;
  }
}

/** A URL that is https, or http on loopback. */
const address = z.string().transform((text, context): URL => {
  const url = urlIn(text);
  if (url) return url;
  context.addIssue({ code: "custom", message: "must be an https URL without user, query, fragment or wildcard (http only for loopback)" });
  return z.NEVER;
});

const proxies = z.string().transform((text, context): TrustedProxies => {
  const read = trustedProxies(entriesOf(text));
  if (read) return read;
  context.addIssue({ code: "custom", message: "must be a list of addresses or networks such as 10.0.0.0/8,::1" });
  return z.NEVER;
});

const origins = z.string().transform((text, context): string[] => {
  const listed = entriesOf(text).map((entry) => entry.toLowerCase());
  if (listed.some((entry) => urlIn(entry)?.origin !== entry))
    context.addIssue({ code: "custom", message: "must be a list of origins such as https://claude.ai, without wildcards" });
  return listed;
});

function isRedisUrl(text: string): boolean {
  try {
    const { protocol, hostname, username, password, pathname } = new URL(text);
    // The bundler would remove an unused result, and the check with it.
    const isDecodable = [username, password].map(decodeURIComponent).length > 0;
    return isDecodable && /^rediss?:$/.test(protocol) && hostname !== "" && /^\/?\d*$/.test(pathname);
  } catch {
    return false;
  }
}

const count = z
  .string()
  .regex(/^[1-9]\d{0,6}$/, "must be a whole number, at least 1")
  .transform(Number);

/** The variables that only `fleetwire-mcp http` reads. */
export const httpVariables = {
  FLEET_CALLER_AUTH: {
    schema: oneOf(["none", "token", "oauth"]),
    description: "who may call over HTTP: none (default: anyone on this machine), token (holders of a token) or oauth",
  },
  FLEET_PUBLIC_URL: { schema: address, description: "URL at which hosts reach /mcp; required with oauth, or to listen beyond loopback" },
  FLEET_TOKENS_FILE: { schema: z.string(), description: "file with the hashes of callers' tokens (token only)" },
  FLEET_OAUTH_ISSUER: { schema: address, description: "authorization server whose access tokens are accepted (oauth only)" },
  FLEET_OAUTH_AUDIENCE: { schema: z.string(), description: "audience of accepted access tokens (default the public URL)" },
  FLEET_TENANTS_FILE: { schema: z.string(), description: "file with several customers, each with credentials and settings" },
  FLEET_TENANT_CLAIM: { schema: z.string(), description: "claim of access tokens that determines the customer (default tenant)" },
  FLEET_CONSOLE_CLIENT_ID: {
    schema: z.string().min(1),
    description: "public client with which users of the console sign in (oauth only; default: with a token)",
  },
  FLEET_RULES: {
    schema: z.string(),
    description: "file of rules, as for fleetwire-mcp watch, whose events the console shows (default none)",
  },
  FLEET_TRUSTED_PROXIES: { schema: proxies, description: "proxies whose X-Forwarded-For is trusted, such as 10.0.0.0/8" },
  FLEET_ALLOWED_ORIGINS: { schema: origins, description: "allowed web pages, such as https://claude.ai (default none)" },
  FLEET_REDIS_URL: {
    schema: z
      .string()
      .refine(
        isRedisUrl,
        "must be a URL such as rediss://user:password@redis.example:6379, with / # ? and % in a password percent-encoded",
      ),
    secret: true,
    description: "Redis or Valkey through which replicas coordinate writes and watches, and share access tokens and limits",
  },
  FLEET_CALLER_RATE: { schema: count, description: "requests per minute from one caller (default 600)" },
  FLEET_CALLER_CONCURRENCY: { schema: count, description: "concurrent requests from one caller (default 20)" },
} satisfies VariableTable;

/** All variables that `fleetwire-mcp http` reads. */
export const knownVariables: typeof environmentVariables & typeof httpVariables = { ...environmentVariables, ...httpVariables };

export type HttpValues = VariableValues<typeof httpVariables>;
