import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { Unverifiable } from "../../src/callers/bearer-access.ts";
import { oauthCallers } from "../../src/callers/oauth-callers.ts";
import { issuerMetadata, metadataDocuments } from "../../src/callers/oauth-metadata.ts";

type Response = { status?: number; location?: string; text: string };

/** A server that responds at these paths, and lists the paths that were requested. */
async function serverOf(documents: (origin: string) => Record<string, Response>) {
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const { status = 200, location, text } = documents(origin)[url] ?? { status: 404, text: "" };
    response.writeHead(status, location === undefined ? {} : { location }).end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { origin, asked };
}

const describing = (issuer: string, more: object = {}): Response => ({
  text: JSON.stringify({ issuer, jwks_uri: `${issuer}/keys`, ...more }),
});

/** The same in a document of this size. */
const describingIn = (bytes: number, issuer: string): Response =>
  describing(issuer, { more: "x".repeat(bytes - describing(issuer, { more: "" }).text.length) });

const OAUTH = "/.well-known/oauth-authorization-server";
const OPENID = "/.well-known/openid-configuration";
afterEach(() => {
  vi.useRealTimers();
});

describe("the metadata of an issuer", () => {
  it.each([
    ["", "", `${OAUTH}`],
    ["", "/", `${OAUTH}`],
    ["", "", `${OPENID}`],
    ["/tenant", "/tenant", `${OAUTH}/tenant`],
    ["/tenant/", "/tenant/", `${OAUTH}/tenant`],
    ["/tenant", "/tenant", `/tenant${OPENID}`],
  ])("%j that names itself %j is at %s", async (path, named, at) => {
    const { origin, asked } = await serverOf((own) => ({ [at]: describing(`${own}${named}`) }));
    const metadata = issuerMetadata(`${origin}${path}`);
    expect(await metadata()).toMatchObject({ issuer: `${origin}${named}` });
    const { length } = asked;
    await Promise.all([metadata(), metadata()]);
    expect(asked).toHaveLength(length);
  });

  const LACKS = "does not describe itself: its metadata lacks issuer or jwks_uri";
  const DIFFERS = "names itself differently in its metadata";
  it.each<[string, (origin: string) => Record<string, Response>, string]>([
    [
      "somewhere else",
      (own) => ({ [OAUTH]: { status: 302, location: `${own}/elsewhere`, text: "" }, "/elsewhere": describing(own) }),
      "does not respond",
    ],
    ["with an error", (own) => ({ [OAUTH]: { ...describing(own), status: 500 } }), "responds with status 500"],
    ["that does not exist", () => ({}), "has no document at the expected address"],
    ["of another issuer", () => ({ [OAUTH]: describing("https://other.example.com") }), DIFFERS],
    ["of another path", (own) => ({ [OAUTH]: describing(`${own}/tenant`) }), DIFFERS],
    ["without keys", (own) => ({ [OAUTH]: describing(own, { jwks_uri: undefined }) }), LACKS],
    ["with keys in a file", (own) => ({ [OAUTH]: describing(own, { jwks_uri: "file:///etc/keys" }) }), LACKS],
    ["of more than 256 kB", (own) => ({ [OAUTH]: describingIn(262_145, own) }), "sends more than 262144 bytes"],
    ["that is not JSON", () => ({ [OAUTH]: { text: "{" } }), "sends something other than JSON"],
  ])("is not read from a document %s", async (_, documents, problem) => {
    const { origin } = await serverOf(documents);
    await expect(issuerMetadata(origin)()).rejects.toThrow(new Unverifiable(problem));
  });

  it("is read from a document of 256 kB", async () => {
    const { origin } = await serverOf((own) => ({ [OAUTH]: describingIn(262_144, own) }));
    expect(await issuerMetadata(origin)()).toMatchObject({ issuer: origin });
  });

  it("is looked for again one second after a failure", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    let isUp = false;
    const { origin, asked } = await serverOf((own) => ({ [OAUTH]: isUp ? describing(own) : { status: 503, text: "" } }));
    const metadata = issuerMetadata(origin);
    await expect(metadata()).rejects.toBeInstanceOf(Unverifiable);
    isUp = true;
    vi.setSystemTime(Date.now() + 999);
    await expect(metadata()).rejects.toBeInstanceOf(Unverifiable);
    expect(asked).toEqual([OAUTH, OPENID]);
    vi.setSystemTime(Date.now() + 1);
    expect(await metadata()).toMatchObject({ issuer: origin });
    vi.setSystemTime(Date.now() - 5_000);
    expect(await metadata()).toMatchObject({ issuer: origin });
  });
});

describe("the documents for clients", () => {
  const RESOURCE = new URL("https://fleet.example.com/mcp");
  const ISSUER = "https://id.example.com";
  const asked = async (path: string, metadata: () => Promise<never>) => {
    const documents = metadataDocuments(RESOURCE, ISSUER, metadata);
    return documents.metadata(new Request(new URL(path, RESOURCE)));
  };
  const unknown = () => Promise.reject(new Error("down"));

  it("name the issuer as it is configured, or as it names itself", async () => {
    const path = "/.well-known/oauth-protected-resource/mcp";
    expect(await (await asked(path, unknown))?.json()).toMatchObject({
      resource: RESOURCE.href,
      authorization_servers: [ISSUER],
      scopes_supported: ["fleet:read", "fleet:write"],
      resource_name: "Fleetwire",
    });
    const known = async () => ({ issuer: `${ISSUER}/`, jwks_uri: `${ISSUER}/keys` }) as never;
    expect(await (await asked(path, known))?.json()).toMatchObject({ authorization_servers: [`${ISSUER}/`] });
    const silent = () => new Promise<never>(() => {});
    expect(await (await asked(path, silent))?.json()).toMatchObject({ authorization_servers: [ISSUER] });
  });

  it.each(["http://127.0.0.1:9", "http://127.0.0.1:9/tenant", "http://127.0.0.1:9/tenant/"])(
    "name the issuer %s as it is written",
    async (issuer) => {
      const { metadata } = oauthCallers({ issuer: new URL(issuer), publicUrl: RESOURCE });
      const response = await metadata(new Request(new URL("/.well-known/oauth-protected-resource/mcp", RESOURCE)));
      expect(await response?.json()).toMatchObject({ authorization_servers: [issuer] });
    },
  );

  it("of the authorization server need it to respond", async () => {
    const response = await asked(OAUTH, unknown);
    expect([response?.status, response?.headers.get("retry-after")]).toEqual([503, "1"]);
    const known = async () => ({ issuer: ISSUER, jwks_uri: `${ISSUER}/keys`, token_endpoint: `${ISSUER}/token` }) as never;
    expect(await (await asked(OAUTH, known))?.json()).toMatchObject({ issuer: ISSUER, token_endpoint: `${ISSUER}/token` });
    expect(await asked("/elsewhere", known)).toBeUndefined();
  });
});
