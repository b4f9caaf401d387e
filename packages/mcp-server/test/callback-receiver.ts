import { createHmac, timingSafeEqual } from "node:crypto";
import type { RequestListener } from "node:http";
import { createServer, globalAgent } from "node:https";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { onTestFinished } from "vitest";
import { selfSigned } from "../../core/test/self-signed.ts";

export const SECRET = `whsec_${Buffer.from("canary-webhook-secret-of-a-caller").toString("base64")}`;

interface Heard {
  id: string;
  subscription: unknown;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects there
  body: any;
}

const MAX_AGE_SECONDS = 5 * 60;

/** Whether a message is signed as the text of Standard Webhooks describes, written from that text alone. */
function isSigned(headers: Record<string, unknown>, body: string, secret: string): boolean {
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => String(headers[name]));
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= MAX_AGE_SECONDS)) return false;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest();
  return (signatures ?? "").split(" ").some((one) => {
    const [version, value = ""] = one.split(",");
    const signature = Buffer.from(value, "base64");
    return version === "v1" && signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}

/** Whether the library of Standard Webhooks verifies a message. */
function isVerified(headers: Record<string, unknown>, body: string, secret: string): boolean {
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** Serves over HTTPS on this machine, with a certificate that this process trusts. Returns the origin. */
export async function servedOverHttps(listener: RequestListener): Promise<string> {
  const { cert, private: key } = await selfSigned("127.0.0.1");
  const server = createServer({ cert, key }, listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const before = globalAgent.options.ca;
  globalAgent.options.ca = cert;
  onTestFinished(() => {
    globalAgent.options.ca = before;
    server.closeAllConnections();
    server.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A receiver on this machine that confirms that it wants events, and accepts those that are signed with one of its secrets. */
export async function confirmingReceiver() {
  const heard: Heard[] = [];
  const refused: string[] = [];
  const secrets = [SECRET];
  const statuses: number[] = [];
  let isSilent = false;
  const origin = await servedOverHttps(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { headers } = request;
    const respond = (status: number, body = {}) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (!secrets.some((secret) => isSigned(headers, text, secret) && isVerified(headers, text, secret))) {
      refused.push(text);
      return respond(401);
    }
    const body = JSON.parse(text);
    heard.push({ id: String(headers["webhook-id"]), subscription: headers["x-mcp-subscription-id"], body });
    if (body.type === "verification") return respond(200, isSilent ? {} : { challenge: body.challenge });
    return respond(statuses.shift() ?? 200);
  });
  return {
    url: `${origin}/hook`,
    heard,
    /** The bodies that were not signed with one of the secrets. */
    refused,
    /** The secrets that it knows. */
    secrets,
    /** How it responds to the next events, unless it accepts them. */
    statuses,
    silence: () => {
      isSilent = true;
      return {};
    },
  };
}
