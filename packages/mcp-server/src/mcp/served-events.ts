/** How events reach a client. */
export type EventMode = "poll" | "push";

/** How many subscriptions a caller may have, of those of its customer. */
export interface EventShare {
  caller: string;
  most: number;
}

/** What is known of a request besides its parameters. */
export interface EventRequest {
  share: EventShare;
  /** How events can reach its sender. */
  modes: readonly EventMode[];
}

type Result = Record<string, unknown>;

/** What serves the methods of the Events extension (SEP-3415). All of them throw a `ProtocolError` for what they refuse. */
export interface ServedEvents {
  list: (params: unknown, request: EventRequest) => Result;
  poll: (params: unknown, request: EventRequest) => Promise<Result>;
}
