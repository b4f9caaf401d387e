import { safeLines, safeValue } from "@fleetwire/tools/host";
import {
  type Implementation,
  isInputRequiredResult,
  type McpServer,
  SERVER_INFO_META_KEY,
  type ServerContext,
  type StandardSchemaWithJSON,
} from "@modelcontextprotocol/server";

type Handler = (request: unknown, context: ServerContext) => unknown;

type Register = (method: string, ...more: [...schemas: unknown[], handler: Handler]) => void;

/** Wraps a schema that is listed but not enforced: tools validate their own arguments, so that they can explain how to fix them. */
export function uncheckedSchema(schema: Record<string, unknown>): StandardSchemaWithJSON<unknown, unknown> {
  return {
    "~standard": {
      version: 1,
      vendor: "fleetwire",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

/** Wraps every handler that is registered from now on. */
export function wrapHandlers(server: McpServer["server"], wrap: (method: string, handler: Handler) => Handler): void {
  const register = server.setRequestHandler.bind(server) as Register;
  const registerWrapped: Register = (method, ...more) => {
    const handler = more.pop() as Handler;
    register(method, ...more, wrap(method, handler));
  };
  server.setRequestHandler = registerWrapped as typeof server.setRequestHandler;
}

const ownWords = new WeakSet<object>();

/** Marks a result that contains nothing but the contract's own words, which need no escaping. */
export function asOwnWords<Result extends object>(result: Result): Result {
  ownWords.add(result);
  return result;
}

/** Escapes invisible characters. Line breaks are preserved in text, but become spaces in structured content. */
function safe(value: unknown, field = ""): unknown {
  if (field === "structuredContent") return safeValue(value);
  if (typeof value === "string") return safeLines(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => safe(item));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [safeLines(name), safe(inner, name)]));
}

/** The server's identity without its icon and description, which are too long to repeat in every result. */
const shortIdentity = ({ name, title, version }: Implementation): Implementation => ({
  name,
  ...(title !== undefined && { title }),
  version,
});

/**
 * Escapes invisible characters in the results of handlers, and adds the server's short identity, which the current
 * revision requires in each result (`server/discover` returns the full identity). Call it before registering any handler.
 */
export function sanitizeOutput({ server }: McpServer, identity: Implementation): void {
  const meta = { [SERVER_INFO_META_KEY]: shortIdentity(identity) };
  wrapHandlers(server, (method, handler) => async (request, context) => {
    try {
      const result = await handler(request, context);
      // The SDK stores result metadata under symbols, which the spread preserves. Questions to the user are already escaped.
      const copy = () => ({ ...(result as object), ...(ownWords.has(result as object) ? {} : (safe(result) as object)) });
      const out = (isInputRequiredResult(result) ? result : copy()) as Record<string, unknown>;
      if (context.mcpReq.envelope === undefined || method === "server/discover") return out;
      return { ...out, _meta: { ...(out["_meta"] as object | undefined), ...meta } };
    } catch (error) {
      if (error instanceof Error) error.message = safeLines(error.message);
      throw error;
    }
  });
}
