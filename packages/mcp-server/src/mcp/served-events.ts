/** How events reach a client. */
export type EventMode = "poll" | "push" | "webhook";

export interface EventShare {
  caller: string;
  /** How many subscriptions the caller may have, of those of its customer. */
  most: number;
  /** Of how many vehicles the customer's subscriptions may remember something, counted once for each. */
  vehicles: number;
  /** Whether the caller's token is still valid, for what outlives a request. */
  isAllowed?: () => Promise<boolean>;
}

/** At about 300 bytes for each, 300 MB. */
export const MAX_EVENT_VEHICLES = 1_000_000;

/** What is known of a request besides its parameters. */
export interface EventRequest {
  share: EventShare;
  /** How events can reach its sender. */
  modes: readonly EventMode[];
}

/** A request that stays open for as long as its sender wants to hear of events. */
export interface EventStream extends EventRequest {
  /** The id of the request. */
  id: string | number;
  /** Fires when the sender has ended it. */
  signal: AbortSignal;
  /** Milliseconds after which the sender has to ask again, so that its credentials are checked again. */
  lifetime: number | undefined;
  notify: (notification: { method: string; params: Record<string, unknown> }) => Promise<void>;
}

/** A request for events to be sent to an address. */
export interface EventSubscribing extends EventRequest {
  /** Milliseconds after which the sender has to ask again, so that its credentials are checked again. */
  lifetime: number;
}

type Result = Record<string, unknown>;

/** What serves the methods of the Events extension (SEP-3415). All of them throw a `ProtocolError` for what they refuse. */
export interface ServedEvents {
  list: (params: unknown, request: EventRequest) => Result;
  poll: (params: unknown, request: EventRequest) => Promise<Result>;
  stream: (params: unknown, request: EventStream) => Promise<Result>;
  subscribe: (params: unknown, request: EventSubscribing) => Promise<Result>;
  unsubscribe: (params: unknown, request: EventRequest) => Result;
  /** Sends nothing more to addresses. */
  close: () => void;
}
