import { withTimeout } from "./limits.ts";

type Cause = readonly [codes: RegExp, message: string, advice: string];

/** What Node's error codes mean, or messages if there is no code, and what to do; % is the variable. The first match counts. */
const CAUSES: readonly Cause[] = [
  [/^(ENOTFOUND|EAI_\w+)$/, "the host name cannot be resolved (DNS)", "Check the host name in %, and whether it needs a VPN"],
  [/^ECONNREFUSED$/, "connection refused", "Check the host and port in %: nothing accepts connections there"],
  [
    /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/,
    "TLS on a plain port: the port does not speak TLS",
    "Check the port in %: https:// needs one that speaks TLS, such as 443",
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    "certificate: expired or not yet valid",
    "Check this machine's clock; if it is right, the operator must renew the certificate",
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "certificate: issued for another host name", "Check the host name in %"],
  [
    /CERT|^UNABLE_TO_/,
    "certificate: its issuer is not trusted",
    "Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of your company's or operator's authority",
  ],
  [
    /^(timed out|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/,
    "no response: the host cannot be reached",
    "Check %, and whether it needs a VPN, a proxy or an open firewall",
  ],
  [/^unexpected redirect$/, "it redirects", "Set % to the address to which it redirects"],
  [/^bad port$/, "the port is one that HTTP clients refuse to use", "Check the port in %"],
  [/(?:)/, "the connection broke", "Check %, and any proxy between here and there"],
];

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as { code?: unknown };
  return [typeof code === "string" ? code : error.message, ...codesOf(error.cause)];
}

function causeOf(error: unknown): Cause {
  const codes = ["", ...codesOf(error)];
  return CAUSES.find(([known]) => codes.some((code) => known.test(code))) as Cause;
}

/** Why a connection failed, in our own words: what fetch says may quote the address. */
export const connectionCause = (error: unknown): string => causeOf(error)[1];

/** The proxy variable that applies to an address, and whether this Node uses it: before Node 24 it cannot, and later only if told to. */
function proxyFor(address: string): { variable: string; isUsed: boolean } | undefined {
  const name = `${new URL(address).protocol.slice(0, -1)}_proxy`;
  const variable = [name.toUpperCase(), name].find((candidate) => process.env[candidate]);
  if (variable === undefined) return undefined;
  const isUsed = process.env["NODE_USE_ENV_PROXY"] === "1" && process.allowedNodeEnvironmentFlags.has("--use-env-proxy");
  return { variable, isUsed };
}

/** Why a server cannot be reached, in our own words; undefined if it responds. Sends no credentials. `variable` is the one that holds the address. */
export async function connectionFailure(
  address: string,
  variable: string,
  timeout: number,
): Promise<{ message: string; advice: string } | undefined> {
  try {
    await withTimeout(timeout, (signal) => fetch(new URL(address).origin, { method: "HEAD", redirect: "manual", signal }));
    return undefined;
  } catch (error) {
    const [, cause, advice] = causeOf(error);
    const proxy = proxyFor(address);
    if (proxy?.isUsed) {
      const message = `network: no connection through the proxy: ${cause}`;
      return { message, advice: `Check the proxy in ${proxy.variable}, or list the host of ${variable} in NO_PROXY` };
    }
    const unused = proxy ? `. ${proxy.variable} is set, but Node uses it only with NODE_USE_ENV_PROXY=1, from Node 24` : "";
    return { message: `network: ${cause}`, advice: advice.replace("%", variable) + unused };
  }
}
