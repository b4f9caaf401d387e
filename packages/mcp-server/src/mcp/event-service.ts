import { markedText, safeValue } from "@fleetwire/tools/host";
import { type WatchEvent, type WatchEventType, watchEventTypes } from "@fleetwire/tools/watch";
import { ProtocolError, ProtocolErrorCode, SUBSCRIPTION_ID_META_KEY } from "@modelcontextprotocol/server";
import * as z from "zod";
import { streamEvents } from "./event-stream.ts";
import { EVENT_ERRORS, EventWatches, eventFailure } from "./event-watches.ts";
import type { EventMode, EventRequest, EventStream, EventSubscribing, ServedEvents } from "./served-events.ts";
import type { ServedTools } from "./served-tools.ts";
import { WebhookSubscriptions } from "./webhook-subscriptions.ts";

/** How long a client is asked to wait between two polls. */
const NEXT_POLL = 30_000;
/** Seconds between two looks at the fleet for a stream or a webhook if caching is off. */
const DEFAULT_INTERVAL = 5;
/** The most events in one response. */
const MAX_EVENTS = 100;

/** A client that asks for less would ask again all the time. */
const MIN_LIFETIME = 60_000;

const subjectSchema = z.object({ name: z.string(), arguments: z.record(z.string(), z.unknown()).nullish() });

const paramsSchema = subjectSchema.extend({
  cursor: z.string().nullish(),
  maxAgeMs: z.int().min(0).nullish(),
  maxEvents: z.int().min(1).nullish(),
});

const subscribeSchema = paramsSchema.extend({
  delivery: z.object({ mode: z.literal("webhook"), url: z.string(), secret: z.string() }),
  // One that is too short or too long is granted as far as it can be.
  ttlMs: z.int().nullish(),
});

const unsubscribeSchema = subjectSchema.extend({ delivery: z.object({ url: z.string() }) });

/** Returns parameters as a schema describes them. */
function parsedParams<Params>(schema: z.ZodType<Params>, given: unknown): Params {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${problems.slice(0, 3).join("; ")}. Correct the parameters`);
}

interface EventServiceOptions {
  fleet: Pick<ServedTools, "tools"> & ConstructorParameters<typeof EventWatches>[0];
  snapshotSeconds: number;
  now: () => number;
  sandbox?: boolean | undefined;
  /** The hosts to which events may be sent. */
  callbackHosts?: readonly string[] | undefined;
}

export class EventService implements ServedEvents {
  readonly #types: ReadonlyMap<string, WatchEventType>;
  readonly #watches: EventWatches;
  readonly #webhooks: WebhookSubscriptions;
  readonly #interval: number;
  readonly #options: EventServiceOptions;

  constructor(options: EventServiceOptions) {
    const { fleet, snapshotSeconds, callbackHosts: hosts = [] } = options;
    const offered = new Set(fleet.tools.flatMap(({ operations }) => operations.map(({ name }) => name)));
    const types = watchEventTypes().filter(({ operations }) => operations.every((name) => offered.has(name)));
    this.#types = new Map(types.map((type) => [type.name, type]));
    this.#watches = new EventWatches(fleet, snapshotSeconds * 1000);
    this.#options = options;
    this.#interval = (snapshotSeconds || DEFAULT_INTERVAL) * 1000;
    const toOccurrence = (when: string, event: WatchEvent) => this.#occurrence(when, event);
    this.#webhooks = new WebhookSubscriptions({ hosts, watches: this.#watches, interval: this.#interval, toOccurrence });
  }

  list(params: unknown, { modes }: EventRequest): { events: object[] } {
    const { cursor } = params as { cursor?: unknown };
    if (cursor !== undefined && cursor !== null)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "cursor: there is only one page. Call again without it");
    return {
      events: [...this.#types.values()].map(({ name, description, inputSchema, payloadSchema }) => ({
        name,
        description,
        delivery: modes,
        inputSchema,
        payloadSchema,
      })),
    };
  }

  async poll(params: unknown, request: EventRequest): Promise<Record<string, unknown>> {
    const { maxEvents, ...subscribed } = parsedParams(paramsSchema, params);
    const { rule, cursor, since } = this.#subscription(subscribed, request, "poll");
    const most = Math.min(maxEvents ?? MAX_EVENTS, MAX_EVENTS);
    return this.#orFailure(() =>
      this.#watches.use(request.share, rule, cursor, async (watch, place) => {
        const page = watch.page(place, most, since);
        return {
          events: page.events.map(({ event }) => this.#occurrence(rule.when, event)),
          cursor: watch.cursor(page.after),
          truncated: page.isTruncated,
          hasMore: page.hasMore,
          nextPollMs: NEXT_POLL,
        };
      }),
    );
  }

  async stream(params: unknown, request: EventStream): Promise<Record<string, unknown>> {
    const { rule, cursor, since } = this.#subscription(parsedParams(paramsSchema, params), request, "push");
    const interval = this.#interval;
    const toOccurrence = (event: WatchEvent) => this.#occurrence(rule.when, event);
    await this.#orFailure(() =>
      this.#watches.stream(request.share, rule, cursor, (watch, place) =>
        streamEvents(watch, place, { ...request, interval, since, toOccurrence }),
      ),
    );
    return { _meta: { [SUBSCRIPTION_ID_META_KEY]: request.id } };
  }

  async subscribe(params: unknown, request: EventSubscribing): Promise<Record<string, unknown>> {
    const begun = Date.now();
    const { delivery, ttlMs, ...subscribed } = parsedParams(subscribeSchema, params);
    const { rule, cursor, since } = this.#subscription(subscribed, request, "webhook");
    const lifetime = Math.min(request.lifetime, Math.max(ttlMs ?? Number.POSITIVE_INFINITY, MIN_LIFETIME));
    return this.#orFailure(() => this.#webhooks.subscribe(request.share, rule, { delivery, cursor, since, until: begun + lifetime }));
  }

  unsubscribe(params: unknown, request: EventRequest): Record<string, unknown> {
    const { delivery, ...subject } = parsedParams(unsubscribeSchema, params);
    this.#webhooks.unsubscribe(request.share, this.#subscription(subject, request, "webhook").rule, delivery.url);
    return {};
  }

  close(): void {
    this.#webhooks.close();
  }

  #subscription({ name, arguments: args, cursor, maxAgeMs }: z.output<typeof paramsSchema>, { modes }: EventRequest, mode: EventMode) {
    const type = this.#types.get(name);
    if (type === undefined)
      throw new ProtocolError(EVENT_ERRORS.notFound, "name: no such event. events/list returns the names", { kind: "event" });
    if (!modes.includes(mode))
      throw new ProtocolError(EVENT_ERRORS.unsupported, `this server does not deliver events by ${mode} here. Use ${modes.join(" or ")}`, {
        feature: "deliveryMode",
        value: mode,
      });
    return {
      rule: this.#parsed(() => type.rule(args ?? {})),
      cursor: cursor ?? undefined,
      since: cursor && maxAgeMs !== undefined && maxAgeMs !== null ? this.#options.now() - maxAgeMs : undefined,
    };
  }

  #parsed<Result>(parse: () => Result): Result {
    try {
      return parse();
    } catch (error) {
      throw eventFailure(error);
    }
  }

  async #orFailure<Result>(run: () => Promise<Result>): Promise<Result> {
    try {
      return await run();
    } catch (error) {
      throw eventFailure(error);
    }
  }

  /** An event as clients receive it. What it says comes from records, so it is made as safe as a tool's result. */
  #occurrence(name: string, { rule: _, ...event }: WatchEvent): Record<string, unknown> {
    const { sandbox } = this.#options;
    const data = safeValue({ ...event, text: markedText(event.text, { sandbox }) });
    return { eventId: event.id, name, timestamp: event.at, data };
  }
}
