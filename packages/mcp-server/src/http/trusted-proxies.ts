import { BlockList, isIP } from "node:net";

/** The proxies whose X-Forwarded-For is trusted. */
export interface TrustedProxies {
  /** Returns the address of a caller: the last address in X-Forwarded-For that is not a trusted proxy's, if the peer is one. */
  callerOf: (peer: string | undefined, forwarded: string | undefined) => { address: string | undefined; proxied: boolean };
}

/** An IPv4 address may arrive in its IPv6 form, and with a port. */
function addressIn(text: string): string {
  const bare = text
    .trim()
    .replace(/^\[(.*)\](:\d+)?$/, "$1")
    .replace(/^::ffff:(?=\d+\.)/i, "");
  return bare.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
}

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

function add(list: BlockList, entry: string): boolean {
  const [address = "", bits, ...more] = entry.split("/");
  const version = isIP(address);
  const longest = version === 6 ? 128 : 32;
  const prefix = bits === undefined ? longest : Number(bits);
  if (version === 0 || more.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false;
  if (prefix > longest) return false;
  list.addSubnet(address, prefix, familyOf(address));
  return true;
}

/** Reads a list of addresses and networks, such as `10.0.0.0/8, ::1`. Returns undefined if an entry is neither. */
export function trustedProxies(entries: readonly string[]): TrustedProxies | undefined {
  const list = new BlockList();
  if (!entries.every((entry) => add(list, entry))) return undefined;
  const isTrusted = (address: string) => isIP(address) !== 0 && list.check(address, familyOf(address));
  return {
    callerOf: (peer, forwarded) => {
      const direct = peer === undefined ? undefined : addressIn(peer);
      if (direct === undefined || !isTrusted(direct)) return { address: direct, proxied: false };
      const hops = forwarded?.split(",").map(addressIn).filter(Boolean) ?? [];
      const caller = hops.findLast((hop) => !isTrusted(hop));
      // Anything else in the header is chosen by the caller, and must not reach the log.
      return { address: caller !== undefined && isIP(caller) !== 0 ? caller : direct, proxied: forwarded !== undefined };
    },
  };
}

const LOOPBACK_V4 = /^127\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;

/** Returns the loopback address that a host name denotes, or undefined if it is not loopback. `localhost` is not resolved, since it may point elsewhere. */
export function loopbackAddress(host: string): string | undefined {
  if (host === "localhost") return "127.0.0.1";
  if (host === "::1" || host === "[::1]") return "::1";
  return LOOPBACK_V4.test(host) ? host : undefined;
}
