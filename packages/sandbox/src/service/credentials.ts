import type { AuthScheme } from "@fleetwire/core";
import { identifier, topic } from "../simulation/random.ts";
import { Refusal } from "./refusal.ts";

const CLIENT = topic("client id");
const SECRET = topic("client secret");
const CUSTOMER = topic("customer id");

export const customerId = (seed: number, customer: number) => identifier(10, seed, CUSTOMER, customer);

/** A customer's credentials (interface part 5). */
export function credentialsOf(seed: number, customer: number) {
  return { clientId: identifier(16, seed, CLIENT, customer), clientSecret: identifier(32, seed, SECRET, customer) };
}

const CHALLENGES: Record<AuthScheme, string> = {
  basic: 'Basic realm="fleetwire-sandbox", charset="UTF-8"',
  bearer: 'Bearer realm="fleetwire-sandbox"',
  "connect-token": 'TOKEN realm="fleetwire-sandbox"',
};

function unauthorized(message: string, schemes: readonly AuthScheme[]): Refusal {
  const challenge = schemes.map((scheme) => CHALLENGES[scheme]).join(", ");
  return new Refusal(401, [{ name: "unauthorized", message }], { "WWW-Authenticate": challenge });
}

function decodeBasic(value: string): string | undefined {
  try {
    const bytes = Uint8Array.from(atob(value.trim()), (character) => character.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Issues and checks access tokens, which are valid for so many seconds. A token contains its customer and expiry, so none are stored. */
export function tokenIssuer(seed: number, lifetime: number) {
  let issued = 0;
  const sign = (claims: string) => identifier(20, topic(`${seed}/${claims}`), topic(`${claims}/${seed}`));
  return {
    lifetime,
    issue: (customer: number, now: number): string => {
      const claims = `sandbox.${customer}.${(now + lifetime * 1000).toString(36)}.${(issued++).toString(36)}`;
      return `${claims}.${sign(claims)}`;
    },
    /** A token's customer, or why the token is invalid. */
    check: (token: string, now: number): number | "expired" | "unknown" => {
      const cut = token.lastIndexOf(".");
      const claims = token.slice(0, cut);
      if (cut < 0 || token.slice(cut + 1) !== sign(claims)) return "unknown";
      const [, customer = "", end = ""] = claims.split(".");
      return now < Number.parseInt(end, 36) ? Number(customer) : "expired";
    },
  };
}

export interface Authenticator {
  readonly credentials: readonly ReturnType<typeof credentialsOf>[];
  readonly tokens: ReturnType<typeof tokenIssuer>;
}

/** The customer who sent a request, authenticated with a scheme that the operation accepts. Throws a `Refusal` otherwise. */
export function authenticate(headers: Headers, schemes: readonly AuthScheme[], authenticator: Authenticator, now: number): number {
  const [, scheme = "", value = ""] = /^(\S+)\s+(.+)$/.exec(headers.get("authorization") ?? "") ?? [];
  const connect = headers.get("x-connect-token");
  const customerOf = (token: string): number => {
    const found = authenticator.tokens.check(token.trim(), now);
    if (found === "expired") throw unauthorized("The access token has expired", schemes);
    if (found === "unknown") throw unauthorized("The access token was not issued by this service", schemes);
    return found;
  };
  if (schemes.includes("basic") && scheme.toLowerCase() === "basic") {
    const given = decodeBasic(value);
    const customer = authenticator.credentials.findIndex(({ clientId, clientSecret }) => given === `${clientId}:${clientSecret}`);
    if (customer < 0) throw unauthorized("The client id or the client secret is wrong", schemes);
    return customer;
  }
  if (schemes.includes("bearer") && scheme.toLowerCase() === "bearer") return customerOf(value);
  if (schemes.includes("connect-token") && connect !== null) {
    const token = /^TOKEN +(\S+)$/.exec(connect.trim())?.[1];
    if (token === undefined) throw unauthorized("x-connect-token must be TOKEN followed by the access token", schemes);
    return customerOf(token);
  }
  const wanted = { basic: "Authorization: Basic", bearer: "Authorization: Bearer", "connect-token": "x-connect-token: TOKEN" };
  throw unauthorized(`Credentials are required: ${schemes.map((name) => wanted[name]).join(" or ")}`, schemes);
}
