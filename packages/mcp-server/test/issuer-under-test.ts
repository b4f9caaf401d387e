import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { onTestFinished } from "vitest";

const FILLER = "x".repeat(65_536);

interface Key {
  kid: string;
  /** Of its signatures. */
  alg: string;
  privateKey: CryptoKey;
  publicKey: JWK;
}

export async function newKey(kid: string, alg = "ES256"): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  return { kid, alg, privateKey, publicKey: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

/** How a server fails: silence before its response, a stall in its body, or a body without an end. */
export type Fault = "down" | "silence" | "garbage" | "stall" | "endless";

export interface Issuer {
  url: string;
  /** What follows the URL in its name for itself: nothing, or a slash. */
  ending: "" | "/";
  /** The keys that it publishes. */
  keys: Key[];
  /** How often its keys were read. */
  reads: number;
  /** Published among them. */
  otherKeys: unknown[];
  /** What it responds with instead of its keys. */
  fault?: Fault | undefined;
  /** What it responds with instead of its metadata. */
  metadataFault?: Fault | undefined;
  /** How many bytes its faults have sent. */
  sent: number;
  /** Signs an access token: by default valid for a minute, with fleet:read. */
  sign(claims?: Record<string, unknown>, key?: Key, header?: Record<string, unknown>): Promise<string>;
}

/** An authorization server that publishes its keys and signs whatever a test wants. */
export async function issuerUnderTest(): Promise<Issuer> {
  const first = await newKey("first");
  const issuer: Issuer = {
    url: "",
    ending: "",
    keys: [first],
    otherKeys: [],
    sent: 0,
    reads: 0,
    sign: async (claims = {}, key = issuer.keys[0] ?? first, header = {}) => {
      const now = Math.floor(Date.now() / 1_000);
      const standard = {
        iss: `${issuer.url}${issuer.ending}`,
        sub: "user-1",
        client_id: "host",
        scope: "fleet:read",
        iat: now,
        exp: now + 60,
      };
      return new SignJWT({ ...standard, ...claims }).setProtectedHeader({ alg: key.alg, kid: key.kid, ...header }).sign(key.privateKey);
    },
  };
  const fail = (fault: Fault, response: ServerResponse) => {
    if (fault === "down") return response.writeHead(503).end();
    if (fault === "garbage") return response.end(JSON.stringify({ keys: "none" }));
    if (fault === "stall") return response.write('{"keys": [');
    const more = () => {
      while (!response.destroyed && response.write(FILLER)) issuer.sent += FILLER.length;
    };
    if (fault === "endless") response.on("drain", more).write('{"more": "');
    if (fault === "endless") more();
    return undefined;
  };
  const server = createServer((request, response) => {
    const json = (value: unknown) => response.setHeader("content-type", "application/json").end(JSON.stringify(value));
    if (request.url?.startsWith("/.well-known/oauth-authorization-server")) {
      if (issuer.metadataFault) return fail(issuer.metadataFault, response);
      return json({
        issuer: `${issuer.url}${issuer.ending}`,
        jwks_uri: `${issuer.url}/keys`,
        authorization_endpoint: `${issuer.url}/authorize`,
      });
    }
    if (request.url !== "/keys") return response.writeHead(404).end();
    issuer.reads++;
    return issuer.fault
      ? fail(issuer.fault, response)
      : json({ keys: [...issuer.otherKeys, ...issuer.keys.map(({ publicKey }) => publicKey)] });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  issuer.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return issuer;
}
