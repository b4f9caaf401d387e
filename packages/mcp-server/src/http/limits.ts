/** What callers over HTTP may take of one process. */
export interface HttpLimits {
  /** Open connections; those above get a 503, and some more are not accepted at all. */
  connections: number;
  /** Requests that are being served, until their responses are taken; those above get a 503. */
  requests: number;
  /** Requests of one connection at a time; those above get a 429. No known client sends one before it has read the response to the last. */
  requestsPerConnection: number;
  /** Messages in one batch of the older revisions; more get a 400. */
  batch: number;
  /** Milliseconds for the headers of a request to arrive. */
  headersMs: number;
  /** Milliseconds for a whole request to arrive. */
  requestMs: number;
  /** Milliseconds that a response may wait for its caller to read on; then the connection is closed. */
  unreadMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  connections: 256,
  requests: 100,
  requestsPerConnection: 1,
  batch: 10,
  headersMs: 5_000,
  requestMs: 15_000,
  unreadMs: 10_000,
};
