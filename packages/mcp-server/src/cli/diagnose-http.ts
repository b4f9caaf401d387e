import { type Environment, FleetError } from "@fleetwire/core";
import { Unverifiable } from "../callers/cached-document.ts";
import { issuerAt } from "../callers/issuer.ts";
import { fileTokens, listTokens } from "../callers/token-file.ts";
import { connectionFailure } from "../connection-failure.ts";
import { httpVariables } from "../http/http-variables.ts";
import { createLog } from "../log.ts";
import type { HttpConfig } from "./http-config.ts";

export interface HttpFinding {
  variable: keyof typeof httpVariables;
  ok: boolean;
  message: string;
  advice?: string;
}

type Finding = Omit<HttpFinding, "variable">;

/** Other commands read these as well, so they do not mean that a server over HTTP is configured. */
const READ_ELSEWHERE: readonly string[] = ["FLEET_TENANTS_FILE", "FLEET_REDIS_URL"];

/** Whether the settings are those of a server over HTTP. */
export const isForHttp = (env: Environment): boolean =>
  Object.keys(httpVariables).some((name) => !READ_ELSEWHERE.includes(name) && env[name]?.trim());

const TIMEOUT_MS = 10_000;

/** Reads the metadata and keys of the authorization server, as the first call with an access token does. */
async function checkIssuer(url: URL): Promise<Finding> {
  let address = url.href;
  try {
    const issuer = issuerAt(url, () => {});
    address = (await issuer.metadata()).jwks_uri;
    await issuer.verify("", {});
  } catch (error) {
    if (error instanceof Unverifiable) {
      const failure = error.reason === undefined ? undefined : await connectionFailure(address, "FLEET_OAUTH_ISSUER", TIMEOUT_MS);
      return {
        ok: false,
        message: `the authorization server ${error.message}`,
        advice: "Set FLEET_OAUTH_ISSUER to the issuer's URL, exactly as the authorization server spells it in its metadata",
        ...failure,
      };
    }
    // The empty token is refused, but only once the keys have been read.
  }
  return { ok: true, message: "the authorization server's metadata and keys can be read" };
}

function checkTokens(file: string): Finding {
  try {
    fileTokens(file, createLog("silent"));
    const { length } = listTokens(file);
    return { ok: true, message: `the file can be read; it has ${length} ${length === 1 ? "token" : "tokens"}` };
  } catch (error) {
    if (!(error instanceof FleetError)) throw error;
    const message = error.message.replace(/^configuration: FLEET_TOKENS_FILE: /, "");
    return { ok: false, message, ...(error.advice !== undefined && { advice: error.advice }) };
  }
}

const CALLERS: Record<HttpConfig["callerAuth"], string> = {
  none: "none: anyone on this machine may call, and nobody else",
  token: "token: callers need a token from the file",
  oauth: "oauth: callers need an access token of the authorization server",
};

/** Checks the settings of a server over HTTP, which is not started. */
export async function checkHttp({ callerAuth, values }: HttpConfig): Promise<HttpFinding[]> {
  const { FLEET_PUBLIC_URL: url, FLEET_TOKENS_FILE: file, FLEET_OAUTH_ISSUER: issuer, FLEET_REDIS_URL: redis } = values;
  return [
    { variable: "FLEET_CALLER_AUTH", ok: true, message: CALLERS[callerAuth] },
    ...(url
      ? [{ variable: "FLEET_PUBLIC_URL", ok: true, message: "well-formed; not called: that takes DNS and your proxy" } as const]
      : []),
    ...(file === undefined ? [] : [{ variable: "FLEET_TOKENS_FILE", ...checkTokens(file) } as const]),
    ...(issuer ? [{ variable: "FLEET_OAUTH_ISSUER", ...(await checkIssuer(issuer)) } as const] : []),
    ...(redis === undefined ? [] : [{ variable: "FLEET_REDIS_URL", ok: true, message: "well-formed; not called" } as const]),
  ];
}
