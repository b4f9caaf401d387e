import { createHmac } from "node:crypto";
import { request as httpRequest, type RequestOptions } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { retryAfterOf } from "@fleetwire/core/internal";
import ipaddr from "ipaddr.js";
import { useAgent } from "request-filtering-agent";

const TIMEOUT = 15_000;

/** Whether a URL names an address, not a host, that may only be meant for a private network. */
export function namesPrivateAddress({ hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 && ipaddr.parse(host).range() !== "unicast";
}

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

function failureOf({ code, name, message }: NodeJS.ErrnoException): WebhookResponse {
  if (name === "AbortError" || name === "TimeoutError") return { status: undefined, why: "no response in time", kind: "timeout" };
  if (/ is not allowed\. Because/.test(message))
    return { status: undefined, why: "the host name leads to a private address", kind: "connection" };
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
    // Connects only to public addresses, and to the one that was checked.
    ...(!isPrivate && { agent: useAgent(url.href) }),
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
