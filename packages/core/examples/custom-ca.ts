import { Agent, fetch as undiciFetch } from "undici";

/**
 * A fetch that trusts a certificate authority of one's own, in PEM form, and no other.
 * To trust it beside the public ones, in every program that Node runs, set NODE_EXTRA_CA_CERTS to its file instead; no code is needed then.
 */
export function fetchTrusting(ca: string): typeof fetch {
  const dispatcher = new Agent({ connect: { ca } });
  return ((url: string, init: object) => undiciFetch(url, { ...init, dispatcher })) as unknown as typeof fetch;
}
