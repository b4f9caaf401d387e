import { randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { namesPrivateAddress, sendWebhook, type WebhookResponse, webhookKey } from "../webhook-request.ts";
import { EVENT_ERRORS, exhausted } from "./event-watches.ts";

/** Where a caller wants messages to be sent, and how they are signed. */
export interface Callback {
  /** The id of the subscription. */
  id: string;
  url: URL;
  /** Each signs. */
  keys: readonly Buffer[];
}

const MINUTE = 60_000;
const VERIFIED_FOR = 60 * MINUTE;
/** Nobody can make the server send more in a minute to a host that may not want it. */
const MAX_CHALLENGES = 10;
/** A challenge that is sent back fits easily. */
const MAX_ECHO_BYTES = 4_096;

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

export const isSuccess = ({ status = 0 }: WebhookResponse): boolean => status >= 200 && status < 300;

/** Whether a receiver wants this message not to be sent again; it may want later ones. */
export const isRefused = ({ status }: WebhookResponse): boolean => status === 410 || status === 413;

/** What went wrong, in one of the words of the extension: anything more would tell a caller what is at an address. */
export function reasonOf(response: WebhookResponse): string {
  if (response.status === undefined) return { timeout: "timeout", tls: "tls_error", connection: "connection_refused" }[response.kind];
  if (response.status >= 500) return "http_5xx";
  return response.status >= 400 ? "http_4xx" : "challenge_failed";
}

/** Sends a message to a callback. An address in a private network is one that the operator has listed as it is; names never lead there. */
export const sendTo = ({ id, url, keys }: Callback, messageId: string, body: string, maxBytes = 0): Promise<WebhookResponse> =>
  sendWebhook({
    ...{ url, keys, id: messageId, body, maxBytes },
    headers: { "x-mcp-subscription-id": id },
    isPrivate: namesPrivateAddress(url),
  });

/** Returns the key in a caller's secret. */
export function callbackKey(secret: string): Buffer {
  const key = secret.startsWith("whsec_") ? webhookKey(secret) : undefined;
  if (key === undefined) throw invalid("delivery.secret: must be whsec_ and 24 to 64 random bytes in base64");
  return key;
}

function isEcho(response: WebhookResponse, challenge: string): boolean {
  try {
    const { challenge: sent } = JSON.parse(response.status === undefined ? "" : response.body) as { challenge?: unknown };
    const echoed = Buffer.from(String(sent));
    return echoed.length === challenge.length && timingSafeEqual(echoed, Buffer.from(challenge));
  } catch {
    return false;
  }
}

/** Makes sure that events are only sent to hosts that the operator allows, and to addresses whose owners want them. */
export class CallbackVerification {
  /** The allowed hosts, with their port unless it is 443. */
  readonly #hosts: readonly string[];
  /** Until when an address counts as one whose owner wants the events of a caller. */
  readonly #verified = new Map<string, number>();
  /** When hosts were last challenged. */
  readonly #challenges = new Map<string, readonly number[]>();

  constructor(hosts: readonly string[]) {
    this.#hosts = hosts;
  }

  allowed(text: string): URL {
    if (!URL.canParse(text) || text.length > 2_000) throw invalid("delivery.url: is not a URL");
    const url = new URL(text);
    if (url.protocol !== "https:" || url.username || url.password || url.hash)
      throw invalid("delivery.url: must begin with https:// and have no user, password or fragment");
    if (!this.#hosts.includes(url.host)) throw invalid("delivery.url: this server sends events only to hosts that its operator allows");
    return url;
  }

  /** Sends a challenge before anything else, unless the owner of the address has just met one for this caller. */
  async verify(caller: string, callback: Callback): Promise<void> {
    const { href, host } = callback.url;
    const now = Date.now();
    for (const [known, until] of this.#verified) if (until < now) this.#verified.delete(known);
    const key = JSON.stringify([caller, href]);
    if (this.#verified.has(key)) return;
    const recent = (this.#challenges.get(host) ?? []).filter((at) => at > now - MINUTE);
    if (recent.length >= MAX_CHALLENGES) throw exhausted("verifications", MAX_CHALLENGES, "Try again in a minute");
    this.#challenges.set(host, [...recent, now]);
    const challenge = randomBytes(24).toString("base64url");
    const body = JSON.stringify({ type: "verification", challenge });
    const response = await sendTo(callback, `msg_verification_${randomUUID()}`, body, MAX_ECHO_BYTES);
    const reason = !isSuccess(response) ? reasonOf(response) : isEcho(response, challenge) ? undefined : "challenge_failed";
    if (reason !== undefined)
      throw new ProtocolError(EVENT_ERRORS.callback, "delivery.url: the receiver did not confirm that it wants events", { reason });
    this.#verified.set(key, Date.now() + VERIFIED_FOR);
  }
}
