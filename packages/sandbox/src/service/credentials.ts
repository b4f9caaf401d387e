import type { AuthScheme } from "@fleetwire/core";
import { identifier, topic } from "../simulation/random.ts";
import { Refusal } from "./refusal.ts";

/** What a customer is given to prove who it is (interface part 5). */
export interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const CLIENT = topic("client id");
const SECRET = topic("client secret");
const CUSTOMER = topic("customer id");

export const customerId = (seed: number, customer: number) => identifier(10, seed, CUSTOMER, customer);

export function credentialsOf(seed: number, customer: number): Credentials {
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

/** Issues and checks access tokens. A token says itself whose it is and when it ends, so that none has to be remembered. */
export interface TokenIssuer {
  /** Seconds for which a token holds. */
  readonly lifetime: number;
  readonly issue: (customer: number, now: number) => string;
  /** The customer of a token, or why it does not hold. */
  readonly check: (token: string, now: number) => number | "expired" | "unknown";
}

export function tokenIssuer(seed: number, lifetime: number): TokenIssuer {
  let issued = 0;
  const seal = (claims: string) => identifier(20, topic(`${seed}/${claims}`), topic(`${claims}/${seed}`));
  return {
    lifetime,
    issue: (customer, now) => {
      const claims = `sandbox.${customer}.${(now + lifetime * 1000).toString(36)}.${(issued++).toString(36)}`;
      return `${claims}.${seal(claims)}`;
    },
    check: (token, now) => {
      const cut = token.lastIndexOf(".");
      const claims = token.slice(0, cut);
      if (cut < 0 || token.slice(cut + 1) !== seal(claims)) return "unknown";
      const [, customer = "", end = ""] = claims.split(".");
      return now < Number.parseInt(end, 36) ? Number(customer) : "expired";
    },
  };
}

export interface Authenticator {
  readonly credentials: readonly Credentials[];
  readonly tokens: TokenIssuer;
}

/** The customer a request speaks for, by one of the schemes that the operation takes; refuses the request otherwise. */
export function authenticate(headers: Headers, schemes: readonly AuthScheme[], gate: Authenticator, now: number): number {
  const [, scheme = "", value = ""] = /^(\S+)\s+(.+)$/.exec(headers.get("authorization") ?? "") ?? [];
  const connect = headers.get("x-connect-token");
  const byToken = (token: string): number => {
    const found = gate.tokens.check(token.trim(), now);
    if (found === "expired") throw unauthorized("The access token has expired", schemes);
    if (found === "unknown") throw unauthorized("The access token is not one of this service", schemes);
    return found;
  };
  if (schemes.includes("basic") && scheme.toLowerCase() === "basic") {
    const given = decodeBasic(value);
    const customer = gate.credentials.findIndex(({ clientId, clientSecret }) => given === `${clientId}:${clientSecret}`);
    if (customer < 0) throw unauthorized("The client id or the client secret is wrong", schemes);
    return customer;
  }
  if (schemes.includes("bearer") && scheme.toLowerCase() === "bearer") return byToken(value);
  if (schemes.includes("connect-token") && connect !== null) {
    const token = /^TOKEN +(\S+)$/.exec(connect.trim())?.[1];
    if (token === undefined) throw unauthorized("x-connect-token must read TOKEN and the access token", schemes);
    return byToken(token);
  }
  const wanted = { basic: "Authorization: Basic", bearer: "Authorization: Bearer", "connect-token": "x-connect-token: TOKEN" };
  throw unauthorized(`Credentials are required: ${schemes.map((name) => wanted[name]).join(" or ")}`, schemes);
}
