const V4 = /^127\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;

export const isLoopbackV4 = (host: string): boolean => V4.test(host);

/** Returns the loopback address that a host name denotes, or undefined if it is not loopback. `localhost` is not resolved, since it may point elsewhere. */
export function loopbackAddress(host: string): string | undefined {
  if (host === "localhost") return "127.0.0.1";
  if (host === "::1" || host === "[::1]") return "::1";
  return isLoopbackV4(host) ? host : undefined;
}
