// A service in a process of its own: GET /MIX/COUNT/... answers with that many live positions of the mix.
import { once } from "node:events";
import { createServer } from "node:http";
import { recordsOf } from "./mixes.mjs";

// Long lists repeat one block of records, so that the server neither computes while it is measured nor holds them whole.
const BLOCK = 10_000;
const blocks = new Map();

function blockOf(mix, count) {
  const size = Math.min(count, BLOCK);
  const key = `${mix} ${size}`;
  if (!blocks.has(key)) blocks.set(key, Buffer.from(JSON.stringify(recordsOf(mix, size)).slice(1, -1)));
  return { block: blocks.get(key), times: Math.ceil(count / size) };
}

const server = createServer(async (request, response) => {
  const [, mix, count] = request.url.split("/");
  const { block, times } = blockOf(decodeURIComponent(mix), Number(count));
  response.writeHead(200, { "content-type": "application/json" });
  response.write("[");
  for (let at = 0; at < times && !response.destroyed; at++) {
    if (at > 0) response.write(",");
    if (!response.write(block)) await Promise.race([once(response, "drain"), once(response, "close")]);
  }
  response.end("]");
});

server.listen(0, "127.0.0.1", () => process.send({ origin: `http://127.0.0.1:${server.address().port}` }));
process.once("disconnect", () => process.exit());
