import { safeLines } from "@fleetwire/tools/host";
import { type McpRequestContext, type McpServer, ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { eventsUri, isEventsUri, vehicleIn } from "./register-resources.ts";
import type { ServedTools } from "./served-tools.ts";

/** The request, in the current revision, that stays open for as long as its sender wants to be notified of changes. */
export const LISTEN = "subscriptions/listen";

/** The resources that a request subscribes to; undefined if it is not such a request. */
export function listenedTo(message: unknown): string[] | undefined {
  const { method, params } = (message ?? {}) as { method?: unknown; params?: { notifications?: { resourceSubscriptions?: unknown } } };
  if (method !== LISTEN) return undefined;
  const uris = params?.notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}

/** Sends `notifications/resources/updated` to the hosts that have subscribed to a resource. */
type Notify = (uri: string) => void;

/** Who subscribes over HTTP, and how many vehicles they may watch at a time. */
interface Subscriber {
  caller: string;
  /** Whose vehicles count together: the caller's or, if callers are not distinguished, those of one request. */
  share: string;
  most: number;
}

/** The vehicles and events that hosts have subscribed to. */
export interface Subscriptions {
  /** Notifies the hosts of a transport until the returned function is called. Subscriptions are offered only if there is such a transport. */
  attach(notify: Notify): () => void;
  /**
   * Watches the vehicles and events among the resources until the signal fires. Other resources never change, so they need no watching.
   *
   * @throws {ProtocolError} if one of them cannot be watched; then none of them is.
   */
  open(uris: readonly string[], signal: AbortSignal, subscriber?: Subscriber): Promise<void>;
  /** Announces subscriptions where they work, and handles those of older revisions. */
  register(server: McpServer, context?: McpRequestContext): void;
}

interface Watched {
  /** Each subscription, with the share that it counts towards. */
  subscribers: Set<{ share: string | undefined }>;
  ending: AbortController;
  /** Why it cannot be watched; undefined if it can. */
  problem: Promise<string | undefined>;
}

const refused = (reason: string, uri: string) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, safeLines(`${reason}: cannot subscribe to ${uri}`));

const changes = (uri: string) => vehicleIn(uri) !== undefined || isEventsUri(uri);

export function createSubscriptions(fleet: Pick<ServedTools, "watchVehicle" | "watchEvents">): Subscriptions {
  const hosts = new Set<Notify>();
  // Hosts are notified by URI, so a second watch of the same URI would notify each of them twice.
  const watched = new Map<string, Watched>();
  const begin = async (uri: string, caller: string | undefined, signal: AbortSignal): Promise<string | undefined> => {
    const changed = () => {
      for (const notify of hosts) notify(uri);
    };
    const vehicle = vehicleIn(uri);
    if (vehicle === undefined) {
      await fleet.watchEvents(caller, changed, { signal });
      return undefined;
    }
    const { ok, text, structured } = await fleet.watchVehicle(vehicle, changed, { signal });
    return ok && "result" in structured && structured["result"] === "watching" ? undefined : text;
  };

  const start = (uri: string, caller: string | undefined): Watched => {
    const ending = new AbortController();
    const watch = { subscribers: new Set<{ share: string | undefined }>(), ending, problem: begin(uri, caller, ending.signal) };
    watched.set(uri, watch);
    return watch;
  };

  /** Whether a share has no room for one more vehicle. The same one may be watched several times: a host that changes its subscription opens the new one first. */
  const isFull = (uri: string, { share, most }: Subscriber) => {
    const own = [...watched].flatMap(([one, { subscribers }]) =>
      !isEventsUri(one) && [...subscribers].some((subscriber) => subscriber.share === share) ? [one] : [],
    );
    return own.length >= most && !own.includes(uri);
  };

  const open: Subscriptions["open"] = async (uris, signal, subscriber) => {
    const own = { share: subscriber?.share };
    const end = () => {
      for (const [uri, { subscribers, ending }] of watched) {
        if (!subscribers.delete(own) || subscribers.size > 0) continue;
        ending.abort();
        watched.delete(uri);
      }
    };
    const join = async (uri: string) => {
      if (isEventsUri(uri) && uri !== eventsUri(subscriber?.caller)) throw refused("these are not your events", uri);
      if (subscriber && !isEventsUri(uri) && isFull(uri, subscriber))
        throw refused(`your limit of ${subscriber.most} watched vehicles is reached; end a subscription first`, uri);
      const watch = watched.get(uri) ?? start(uri, subscriber?.caller);
      watch.subscribers.add(own);
      const problem = await watch.problem;
      if (problem === undefined) return;
      // A later subscription may succeed.
      watch.ending.abort();
      if (watched.get(uri) === watch) watched.delete(uri);
      throw refused(problem, uri);
    };
    // One listener for all vehicles: Node warns of more than ten on a signal.
    signal.addEventListener("abort", end, { once: true });
    try {
      for (const uri of new Set(uris.filter(changes))) {
        if (signal.aborted) break;
        await join(uri);
        // Looking up many names must not hold up other hosts.
        await new Promise((resolve) => setImmediate(resolve));
      }
    } catch (error) {
      signal.removeEventListener("abort", end);
      end();
      throw error;
    }
  };

  return {
    attach: (notify) => {
      hosts.add(notify);
      return () => hosts.delete(notify);
    },
    open,
    register: ({ server }, { era, requestInfo } = { era: "legacy" }) => {
      // In older revisions, notifications outside a request need a session, which this server does not have over HTTP.
      if (hosts.size === 0 || (era === "legacy" && requestInfo !== undefined)) return;
      server.registerCapabilities({ resources: { subscribe: true } });
      if (era !== "legacy") return;
      const subscribed = new Map<string, AbortController>();
      const end = (uri: string) => {
        subscribed.get(uri)?.abort();
        subscribed.delete(uri);
      };
      server.setRequestHandler("resources/subscribe", async ({ params: { uri } }) => {
        if (subscribed.has(uri) || !changes(uri)) return {};
        const ending = new AbortController();
        subscribed.set(uri, ending);
        try {
          await open([uri], ending.signal);
        } catch (error) {
          end(uri);
          throw error;
        }
        return {};
      });
      server.setRequestHandler("resources/unsubscribe", ({ params: { uri } }) => {
        end(uri);
        return {};
      });
      const { onclose } = server;
      server.onclose = () => {
        onclose?.();
        for (const uri of [...subscribed.keys()]) end(uri);
      };
    },
  };
}
