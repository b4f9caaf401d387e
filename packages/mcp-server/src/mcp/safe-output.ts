import { safeLines, safeValue } from "@fleetwire/tools/host";
import {
  type Implementation,
  isInputRequiredResult,
  type McpServer,
  SERVER_INFO_META_KEY,
  type ServerContext,
} from "@modelcontextprotocol/server";

type Handler = (request: unknown, context: ServerContext) => unknown;

type Register = (method: string, ...more: [...schemas: unknown[], handler: Handler]) => void;

/** What is sent: texts keep their lines, structured content has none. */
function safe(value: unknown, field = ""): unknown {
  if (field === "structuredContent") return safeValue(value);
  if (typeof value === "string") return safeLines(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => safe(item));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [safeLines(name), safe(inner, name)]));
}

/** Who the server is, without what a host shows once and a model would read with every result. */
const briefly = ({ name, title, version }: Implementation): Implementation => ({ name, ...(title !== undefined && { title }), version });

/**
 * Everything that handlers return passes here, whoever registers them: no text goes out with characters that act unseen, and since today's revision names
 * the server on each result, all but `server/discover` name it without its icon. Call it before anything is registered.
 */
export function guardOutgoing({ server }: McpServer, identity: Implementation): void {
  const register = server.setRequestHandler.bind(server) as Register;
  const meta = { [SERVER_INFO_META_KEY]: briefly(identity) };

  const guarded: Register = (method, ...more) => {
    const handler = more.pop() as Handler;
    register(method, ...more, async (request, context) => {
      try {
        const result = await handler(request, context);
        // The SDK keeps what it knows of a result under symbols. A question to the user is shown as it was made: what has no visible form is an escape there already.
        const out = (isInputRequiredResult(result) ? result : { ...(result as object), ...(safe(result) as object) }) as Record<
          string,
          unknown
        >;
        if (context.mcpReq.envelope === undefined || method === "server/discover") return out;
        return { ...out, _meta: { ...(out["_meta"] as object | undefined), ...meta } };
      } catch (error) {
        if (error instanceof Error) error.message = safeLines(error.message);
        throw error;
      }
    });
  };
  server.setRequestHandler = guarded as typeof server.setRequestHandler;
}
