// A service in its own process: GET /MIX/COUNT/... returns COUNT live positions of a mix.
import { createServer } from "node:http";
import { pipeline, Readable } from "node:stream";
import { recordsOf } from "./mixes.mjs";

// Long lists repeat one block of records, so that the server neither computes during the measurement nor holds the whole list.
const BLOCK = 10_000;
const blocks = new Map();

function blockOf(mix, count) {
  const size = Math.min(count, BLOCK);
  const key = `${mix} ${size}`;
  if (!blocks.has(key)) blocks.set(key, Buffer.from(JSON.stringify(recordsOf(mix, size)).slice(1, -1)));
  return { block: blocks.get(key), times: Math.ceil(count / size) };
}

function* chunks(mix, count) {
  const { block, times } = blockOf(mix, count);
  yield "[";
  for (let at = 0; at < times; at++) {
    if (at > 0) yield ",";
    yield block;
  }
  yield "]";
}

const server = createServer((request, response) => {
  const [, mix, count] = request.url.split("/");
  response.writeHead(200, { "content-type": "application/json" });
  // Ignore readers that disconnect early.
  pipeline(Readable.from(chunks(decodeURIComponent(mix), Number(count)), { objectMode: true }), response, () => {});
});

// A connection may be idle for long while other clients are measured; closing it would look like their failure.
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => process.send({ origin: `http://127.0.0.1:${server.address().port}` }));
process.once("disconnect", () => process.exit());
