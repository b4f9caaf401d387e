import { withTimeout } from "./limits.ts";

export interface Failure {
  message: string;
  advice: string;
}

type Cause = readonly [codes: RegExp, message: string, advice: (variable: string) => string];

/** What Node's error codes mean, or messages if there is no code, and what to do. The first match counts. */
const CAUSES: readonly Cause[] = [
  [
    /^(ENOTFOUND|EAI_\w+)$/,
    "the host name cannot be resolved (DNS)",
    (name) => `Check the host name in ${name}, and whether it needs a VPN`,
  ],
  [/^ECONNREFUSED$/, "connection refused", (name) => `Check the host and port in ${name}: nothing accepts connections there`],
  [
    /^(ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|EPROTO)$/,
    "TLS on a plain port: the port does not speak TLS",
    (name) => `Check the port in ${name}: https:// needs one that speaks TLS, such as 443`,
  ],
  [
    /^CERT_(HAS_EXPIRED|NOT_YET_VALID)$/,
    "certificate: expired or not yet valid",
    () => "Check this machine's clock; if it is right, the operator must renew the certificate",
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, "certificate: issued for another host name", (name) => `Check the host name in ${name}`],
  [
    /CERT|^UNABLE_TO_/,
    "certificate: its issuer is not trusted",
    () => "Set NODE_EXTRA_CA_CERTS to a PEM file with the certificate of your company's or operator's authority",
  ],
  [
    /^(timed out|ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH)$/,
    "no response: the host cannot be reached",
    (name) => `Check ${name}, and whether it needs a VPN, a proxy or an open firewall`,
  ],
  [/^unexpected redirect$/, "it redirects", (name) => `Set ${name} to the address to which it redirects`],
  [/^bad port$/, "the port is one that HTTP clients refuse to use", (name) => `Check the port in ${name}`],
];

const BROKEN: Cause = [/./, "the connection broke", (name) => `Check ${name}, and any proxy between here and there`];

function codesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  const { code } = error as { code?: unknown };
  return [typeof code === "string" ? code : error.message, ...codesOf(error.cause)];
}

const causeOf = (error: unknown): Cause => {
  const codes = codesOf(error);
  return CAUSES.find(([known]) => codes.some((code) => known.test(code))) ?? BROKEN;
};

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
export async function connectionFailure(address: string, variable: string, timeout: number): Promise<Failure | undefined> {
  let found: Cause;
  try {
    await withTimeout(timeout, (signal) => fetch(new URL(address).origin, { method: "HEAD", redirect: "manual", signal }));
    return undefined;
  } catch (error) {
    found = causeOf(error);
  }
  const [, cause, adviceFor] = found;
  const proxy = proxyFor(address);
  if (proxy?.isUsed) {
    return {
      message: `network: no connection through the proxy: ${cause}`,
      advice: `Check the proxy in ${proxy.variable}, or list the host of ${variable} in NO_PROXY`,
    };
  }
  const unused = `. ${proxy?.variable} is set, but Node uses it only with NODE_USE_ENV_PROXY=1, from Node 24`;
  return { message: `network: ${cause}`, advice: `${adviceFor(variable)}${proxy ? unused : ""}` };
}
