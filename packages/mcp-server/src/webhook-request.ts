import { createHmac } from "node:crypto";
import { lookup as resolve } from "node:dns";
import { request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { retryAfterOf } from "@fleetwire/core/internal";

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

/** Whether a URL names an address, not a host, that may only be meant for a private network. */
export function namesPrivateAddress({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && isPrivateAddress(host);
}

const PRIVATE = "PRIVATE_ADDRESS";

/** Resolves a name only to public addresses, of which the connection then uses the one that was checked. */
const publicLookup: LookupFunction = (hostname, options, callback) =>
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, "");
    if (addresses.some(({ address }) => isPrivateAddress(address)))
      return callback(Object.assign(new Error("private address"), { code: PRIVATE }), "");
    const [first] = addresses;
    return options.all ? callback(null, addresses) : callback(null, first?.address ?? "", first?.family);
  });

/** The key in a secret: 24 to 64 bytes, as Standard Webhooks demand; undefined if it is not valid. */
export function webhookKey(secret: string): Buffer | undefined {
  const text = secret.trim().replace(/^whsec_/, "");
  const key = Buffer.from(text, "base64");
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) && key.length >= 24 && key.length <= 64 ? key : undefined;
}

export interface WebhookRequest {
  url: URL;
  /** Each key signs, so that a receiver that knows one of them can verify. */
  keys: readonly Buffer[];
  id: string;
  body: string;
  headers?: Readonly<Record<string, string>>;
  /** Whether the receiver may be in a private network. */
  isPrivate: boolean;
  /** How many bytes of the response to read. @default none */
  maxBytes?: number;
  /** Gives up when it fires. */
  signal?: AbortSignal;
}

/** The status and the beginning of the body, or why there is none. */
export type WebhookResponse =
  | {
      status: number;
      body: string;
      /** Milliseconds to wait according to Retry-After. */
      retryAfter: number | undefined;
    }
  | { status: undefined; why: string; kind: "timeout" | "tls" | "connection" };

function failureOf({ code, name }: NodeJS.ErrnoException): WebhookResponse {
  if (name === "AbortError" || name === "TimeoutError") return { status: undefined, why: "no response in time", kind: "timeout" };
  if (code === PRIVATE) return { status: undefined, why: "the host name leads to a private address", kind: "connection" };
  const isTls = /CERT|TLS|SSL|^EPROTO$|SIGNATURE/.test(code ?? "");
  return { status: undefined, why: code ?? name, kind: isTls ? "tls" : "connection" };
}

/** Sends a body, signed as Standard Webhooks describe. Redirects are not followed, and it never rejects. */
export function sendWebhook({ url, keys, id, body, headers, isPrivate, maxBytes = 0, signal }: WebhookRequest): Promise<WebhookResponse> {
  const timestamp = Math.floor(Date.now() / 1000);
  const signatures = keys.map((key) => `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`);
  const options: RequestOptions = {
    method: "POST",
    headers: {
      ...headers,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      "user-agent": "fleetwire-mcp",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signatures.join(" "),
    },
    ...(signal && { signal }),
    ...(!isPrivate && { lookup: publicLookup }),
  };
  return new Promise((resolve) => {
    const settle = (response: WebhookResponse) => {
      clearTimeout(timer);
      resolve(response);
    };
    const failed = (error: NodeJS.ErrnoException) => settle(failureOf(error));
    const sending = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, options, (response) => {
      const { statusCode: status = 0, headers: received } = response;
      const { "retry-after": asked = "", date = "" } = received;
      const retryAfter = retryAfterOf(new Headers({ "retry-after": asked, date }), Date.now());
      let text = "";
      const end = () => {
        settle({ status, body: text, retryAfter });
        response.destroy();
      };
      if (maxBytes === 0) return end();
      response.setEncoding("utf8").on("end", end).on("error", failed);
      response.on("data", (chunk: string) => {
        text += chunk;
        if (text.length > maxBytes) end();
      });
    });
    const timer = setTimeout(() => sending.destroy(Object.assign(new Error("timeout"), { name: "TimeoutError" })), TIMEOUT);
    sending.on("error", failed);
    sending.end(body);
  });
}
