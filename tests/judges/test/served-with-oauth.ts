import { generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { createServer, type RequestListener, request } from "node:http";
import type { AddressInfo } from "node:net";
import { type Served, serveSandbox } from "./served-sandbox.ts";

const KID = "first";
const LIFETIME_SECONDS = 600;

async function listening(respond: RequestListener) {
  const server = createServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** An authorization server that publishes one key. */
async function issuer() {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const keys = [{ ...publicKey.export({ format: "jwk" }), kid: KID, alg: "ES256", use: "sig" }];
  const { origin, stop } = await listening(({ url, headers }, response) => {
    const home = `http://${headers.host}`;
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify(url === "/keys" ? { keys } : { issuer: home, jwks_uri: `${home}/keys` }));
  });
  const token = (audience: string) => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: origin, aud: audience, sub: "judge", scope: "fleet:read fleet:write", iat: now, exp: now + LIFETIME_SECONDS };
    const signed = `${base64url({ alg: "ES256", kid: KID })}.${base64url(claims)}`;
    return `${signed}.${sign("sha256", Buffer.from(signed), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
  };
  return { origin, stop, token };
}

interface ServedWithOAuth extends Served {
  /** The server itself, which rejects requests without an access token. */
  protectedUrl: string;
}

/** The built server with `--caller-auth oauth`, behind a proxy that adds an access token: the conformance suite cannot send one to a server. */
export async function serveWithOAuth(): Promise<ServedWithOAuth> {
  const { origin, stop, token } = await issuer();
  let server: Served | undefined;
  const proxy = await listening((incoming, outgoing) => {
    const headers = [...incoming.rawHeaders, "Authorization", `Bearer ${token(proxy.origin)}`];
    const options = { method: incoming.method, headers, setHost: false };
    const forwarded = request(new URL(incoming.url ?? "/", server?.url), options, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.once("close", () => forwarded.destroy());
    incoming.pipe(forwarded);
  });
  const access = {
    FLEET_CALLER_AUTH: "oauth",
    FLEET_OAUTH_ISSUER: origin,
    FLEET_PUBLIC_URL: `${proxy.origin}/mcp`,
    FLEET_OAUTH_AUDIENCE: proxy.origin,
  };
  // The suite's dns-rebinding-protection expects a page of the server's own origin to be served, which is a matter of this list once callers are authenticated.
  server = await serveSandbox({ ...access, FLEET_ALLOWED_ORIGINS: proxy.origin });
  return {
    url: `${proxy.origin}/mcp`,
    protectedUrl: server.url,
    stop: async () => {
      proxy.stop();
      stop();
      await server.stop();
    },
  };
}
