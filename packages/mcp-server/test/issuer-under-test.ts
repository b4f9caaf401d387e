import { createServer, type ServerResponse } from "node:http";
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { fleetService } from "../../tools/test/served-fleet.ts";
import { PUBLIC_URL, type Setup, served } from "./callers-under-test.ts";
import { environmentOf, listen } from "./server-under-test.ts";

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
  /** What follows the URL in its name for itself. */
  ending: "" | "/";
  /** The keys that it publishes. */
  keys: Key[];
  /** The paths that were requested. */
  asked: string[];
  /** What it responds with at these paths instead of anything else. */
  documents?: Record<string, { status?: number; location?: string; text?: string }>;
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
    asked: [],
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
  const metadata = () => ({
    issuer: `${issuer.url}${issuer.ending}`,
    jwks_uri: `${issuer.url}/keys`,
    authorization_endpoint: `${issuer.url}/authorize`,
  });
  const server = createServer(({ url = "" }, response) => {
    issuer.asked.push(url);
    const json = (value: unknown) => response.setHeader("content-type", "application/json").end(JSON.stringify(value));
    if (issuer.documents) {
      const { status = 200, location, text = "" } = issuer.documents[url] ?? { status: 404 };
      return response.writeHead(status, location === undefined ? {} : { location }).end(text);
    }
    if (url.startsWith("/.well-known/oauth-authorization-server"))
      return issuer.metadataFault ? fail(issuer.metadataFault, response) : json(metadata());
    if (url !== "/keys") return response.writeHead(404).end();
    issuer.reads++;
    return issuer.fault
      ? fail(issuer.fault, response)
      : json({ keys: [...issuer.otherKeys, ...issuer.keys.map(({ publicKey }) => publicKey)] });
  });
  issuer.url = await listen(server);
  return issuer;
}

/** A server that accepts the tokens of an issuer. */
export async function oauthServer({ script = {}, env = {}, limits = {} }: Setup = {}) {
  const issuer = await issuerUnderTest();
  const service = await fleetService({ listLivePositions: () => ({ body: [] }), ...script });
  const oauth = { FLEET_CALLER_AUTH: "oauth", FLEET_OAUTH_ISSUER: issuer.url, FLEET_PUBLIC_URL: PUBLIC_URL, ...env };
  return { ...(await served({ ...environmentOf(service.origin), ...oauth }, limits)), issuer };
}
