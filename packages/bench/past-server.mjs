// Serves a sandbox whose clock stands still. Responses are kept, so that a question asked again measures the tools rather than the simulation.
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { createSandbox } from "@fleetwire/sandbox";

const [vehicles, now] = process.argv.slice(2).map(Number);
const sandbox = createSandbox({ vehicles, rhythm: "week", clock: () => now });
const { origin } = new URL(sandbox.env.FLEET_BASE_URL);
const kept = new Map();

const server = createServer(async (message, response) => {
  const { method, url, headers } = message;
  const body = await buffer(message);
  const key = `${method} ${url} ${body}`;
  if (!kept.has(key)) {
    const { authorization, "content-type": type, "x-connect-token": token } = headers;
    const sent = Object.entries({ authorization, "content-type": type, "x-connect-token": token }).filter(([, value]) => value);
    const answer = await sandbox.fetch(new Request(`${origin}${url}`, { method, headers: sent, ...(body.length > 0 && { body }) }));
    kept.set(key, { status: answer.status, body: Buffer.from(await answer.arrayBuffer()) });
  }
  const { status, body: text } = kept.get(key);
  response.writeHead(status, { "content-type": "application/json" }).end(text);
});

server.listen(0, "127.0.0.1", () => {
  const served = `http://127.0.0.1:${server.address().port}`;
  process.send({ env: Object.fromEntries(Object.entries(sandbox.env).map(([name, value]) => [name, value.replace(origin, served)])) });
});
process.on("disconnect", () => process.exit());
