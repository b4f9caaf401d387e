import { createHmac } from "node:crypto";
import { lookup as resolve } from "node:dns";
import { request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { FleetError } from "@fleetwire/core";
import type { WatchEvent } from "@fleetwire/tools/watch";

const TIMEOUT = 15_000;

const privateNetworks = new BlockList();
for (const network of [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.168.0.0/16"],
  ...["198.18.0.0/15", "224.0.0.0/4", "240.0.0.0/4"],
]) {
  const [address = "", bits] = network.split("/");
  privateNetworks.addSubnet(address, Number(bits));
}
const publicNetworks = new BlockList();
publicNetworks.addSubnet("2000::", 3, "ipv6");
/** Ranges within it that lead to IPv4 addresses or are for documentation. */
const translated = new BlockList();
for (const [address, bits] of [
  ["2001::", 32],
  ["2001:db8::", 32],
  ["2002::", 16],
] as const)
  translated.addSubnet(address, bits, "ipv6");

/** Whether an address may only be meant for a private network. An IPv6 address that stands for an IPv4 one counts as private. */
function isPrivateAddress(address: string): boolean {
  if (isIP(address) === 4) return privateNetworks.check(address);
  return !publicNetworks.check(address, "ipv6") || translated.check(address, "ipv6");
}

/** Resolves a name only to public addresses, of which the connection then uses the one that was checked. */
const publicLookup: LookupFunction = (hostname, options, callback) =>
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, "");
    if (addresses.some(({ address }) => isPrivateAddress(address)))
      return callback(Object.assign(new Error("private address"), { code: "PRIVATE_ADDRESS" }), "");
    const [first] = addresses;
    return options.all ? callback(null, addresses) : callback(null, first?.address ?? "", first?.family);
  });

/** What became of an attempt to deliver an event. */
export type Attempt = { isDelivered: true } | { isDelivered: false; why: string; isGone: boolean };

export interface WebhookSender {
  send: (event: WatchEvent) => Promise<Attempt>;
}

const refusal = (message: string, advice: string) => new FleetError("config", `--webhook: ${message}`, { advice });

/** The key in a secret: 24 to 64 bytes, as Standard Webhooks demand. */
function keyOf(secret: string): Buffer {
  const text = secret.trim().replace(/^whsec_/, "");
  const key = Buffer.from(text, "base64");
  if (/^[A-Za-z0-9+/]+={0,2}$/.test(text) && key.length >= 24 && key.length <= 64) return key;
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
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (!isPrivate && isIP(host) !== 0 && isPrivateAddress(host))
    throw refusal("is a private address", "Add --webhook-private for a receiver in your own network");
  if (!secret)
    throw refusal(
      "needs FLEET_WEBHOOK_SECRET",
      "Set it to the secret that the receiver knows, such as whsec_ and 24 to 64 bytes in base64",
    );
  const key = keyOf(secret);
  const request = url.protocol === "https:" ? httpsRequest : httpRequest;
  return {
    send: (event) => {
      const body = JSON.stringify({ type: `fleet.${event.when}`, timestamp: event.at, data: event });
      const timestamp = Math.floor(Date.now() / 1000);
      const headers = {
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(body)),
        "user-agent": "fleetwire-mcp",
        "webhook-id": event.id,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": `v1,${createHmac("sha256", key).update(`${event.id}.${timestamp}.${body}`).digest("base64")}`,
      };
      const options: RequestOptions = {
        method: "POST",
        headers,
        signal: AbortSignal.timeout(TIMEOUT),
        ...(!isPrivate && { lookup: publicLookup }),
      };
      return new Promise((settle) => {
        const failed = ({ code, name }: NodeJS.ErrnoException) =>
          settle({
            isDelivered: false,
            why: name === "AbortError" || name === "TimeoutError" ? "no response in time" : (code ?? name),
            isGone: false,
          });
        const sending = request(url, options, (response) => {
          const { statusCode = 0 } = response;
          // The body says nothing that is needed.
          response.destroy();
          if (statusCode >= 200 && statusCode < 300) return settle({ isDelivered: true });
          settle({ isDelivered: false, why: `status ${statusCode}`, isGone: statusCode === 410 });
        });
        sending.on("error", failed);
        sending.end(body);
      });
    },
  };
}
