import { FleetError } from "@fleetwire/core";
import type { WatchEvent } from "@fleetwire/tools/watch";
import { namesPrivateAddress, sendWebhook, webhookKey } from "../webhook-request.ts";

/** What became of an attempt to deliver an event. */
export type Attempt =
  | { isDelivered: true }
  | {
      isDelivered: false;
      why: string;
      isGone: boolean;
      /** Milliseconds for which the receiver wants nothing. */
      retryAfter?: number | undefined;
    };

export interface WebhookSender {
  send: (event: WatchEvent, signal: AbortSignal) => Promise<Attempt>;
}

const refusal = (message: string, advice: string) => new FleetError("config", `--webhook: ${message}`, { advice });

function keyOf(secret: string): Buffer {
  const key = webhookKey(secret);
  if (key) return key;
  throw new FleetError("config", "configuration: FLEET_WEBHOOK_SECRET is not valid", {
    advice: "It must be 24 to 64 random bytes in base64, after whsec_ or without it",
  });
}

/** Checks an address and a secret, and returns what sends events there, signed as Standard Webhooks describe. Redirects are not followed. */
export function webhookTo(text: string, secret: string | undefined, isPrivate: boolean): WebhookSender {
  if (!URL.canParse(text)) throw refusal("is not a URL", "Pass an address such as https://example.com/fleet");
  const url = new URL(text);
  if (url.protocol !== "https:" && !(isPrivate && url.protocol === "http:"))
    throw refusal("must begin with https://", "Use https, or add --webhook-private for a receiver in your own network");
  if (url.username || url.password) throw refusal("must not contain a user or a password", "The signature shows who sends the events");
  if (!isPrivate && namesPrivateAddress(url))
    throw refusal("is a private address", "Add --webhook-private for a receiver in your own network");
  if (!secret)
    throw refusal(
      "needs FLEET_WEBHOOK_SECRET",
      "Set it to the secret that the receiver knows, such as whsec_ and 24 to 64 bytes in base64",
    );
  const keys = [keyOf(secret)];
  return {
    send: async (event, signal) => {
      const body = JSON.stringify({ type: `fleet.${event.when}`, timestamp: event.at, data: event });
      const response = await sendWebhook({ url, keys, id: event.id, body, isPrivate, signal });
      if (response.status === undefined) return { isDelivered: false, why: response.why, isGone: false };
      const { status, retryAfter } = response;
      return status >= 200 && status < 300
        ? { isDelivered: true }
        : { isDelivered: false, why: `status ${status}`, isGone: status === 410, retryAfter };
    },
  };
}
