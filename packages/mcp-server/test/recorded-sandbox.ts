import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import { createSandbox } from "@fleetwire/sandbox";
import { onTestFinished } from "vitest";

interface RecordedSandbox {
  /** The environment of a server that uses the sandbox. */
  env: Record<string, string>;
  /** What the sandbox has received, in order. */
  received: { path: string; headers: IncomingHttpHeaders }[];
}

/** A sandbox over HTTP, behind a proxy that takes note of the headers. */
export async function recordedSandbox(): Promise<RecordedSandbox> {
  const sandbox = createSandbox({ seed: 1, vehicles: 20 });
  const { origin, env } = await sandbox.listen();
  const received: RecordedSandbox["received"] = [];
  const proxy = createServer((incoming, outgoing) => {
    const { method, url: path = "/", headers, rawHeaders } = incoming;
    received.push({ path, headers });
    const forwarded = request(new URL(path, origin), { method, headers: rawHeaders, setHost: false }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      response.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  onTestFinished(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await sandbox.close();
  });
  const shown = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return { env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace(origin, shown)])), received };
}
