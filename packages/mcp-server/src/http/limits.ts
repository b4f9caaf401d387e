/** Limits on the resources that HTTP callers may use in one process. */
export interface HttpLimits {
  /** Open connections. A few more get a 503; the rest are not accepted. */
  connections: number;
  /** Requests being served. Each counts until its response has been read. Any more get a 503. */
  requests: number;
  /** Requests being served for one caller; included in `requests`. Any more get a 429. */
  requestsPerCaller: number;
  /** Requests being served for one customer; included in `requests`, so that a service that hangs does not take up all of them. Any more get a 503. */
  requestsPerCustomer: number;
  /** Requests that one caller may send in a minute, all at once or spread out. Any more get a 429. */
  callerRate: number;
  /** Open subscriptions of one customer; included in `requests`. Any more get an error. */
  subscriptions: number;
  /** Vehicles that one caller may watch, of the 500 of its customer. Any more get an error. */
  watchesPerCaller: number;
  /** Milliseconds for a request's headers to arrive. */
  headersMs: number;
  /** Milliseconds for a whole request to arrive. */
  requestMs: number;
  /** Milliseconds after which a token that keeps a stream open is verified again. */
  tokenCheckMs: number;
  /** Milliseconds a response may wait for its caller to read it before the connection is closed. */
  unreadMs: number;
}

/** For authenticated callers. */
export const CALLER_LIMITS: HttpLimits = {
  connections: 1_024,
  requests: 400,
  requestsPerCaller: 20,
  requestsPerCustomer: 100,
  callerRate: 600,
  subscriptions: 50,
  watchesPerCaller: 100,
  headersMs: 5_000,
  requestMs: 15_000,
  tokenCheckMs: 5_000,
  unreadMs: 10_000,
};

/** For callers on this machine, who are not distinguished. */
export const HTTP_LIMITS: HttpLimits = {
  ...CALLER_LIMITS,
  connections: 256,
  requests: 100,
  requestsPerCaller: Number.POSITIVE_INFINITY,
  requestsPerCustomer: Number.POSITIVE_INFINITY,
  callerRate: Number.POSITIVE_INFINITY,
  watchesPerCaller: Number.POSITIVE_INFINITY,
};

/** Vehicles that one request may watch, which is the only share of callers who are not distinguished. Any more get an error. */
export const WATCHES_PER_REQUEST = 250;

/** Messages in one batch (older revisions only). Larger batches get a 400. */
export const MAX_BATCH = 10;
