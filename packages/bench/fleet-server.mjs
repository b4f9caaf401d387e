// A service in a process of its own: GET /MIX/COUNT/... answers with that many live positions of the mix.
import { createServer } from "node:http";
import { pipeline, Readable } from "node:stream";
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

function* pieces(mix, count) {
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
  // A reader that leaves early is none of the server's business.
  pipeline(Readable.from(pieces(decodeURIComponent(mix), Number(count)), { objectMode: true }), response, () => {});
});

// Between two readings of a connection others may take long; closing it then would look like their failure.
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => process.send({ origin: `http://127.0.0.1:${server.address().port}` }));
process.once("disconnect", () => process.exit());
