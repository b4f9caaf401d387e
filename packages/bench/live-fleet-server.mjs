// A service in its own process: GET /COUNT/... returns the live positions of COUNT vehicles. They are taken from the sandbox once, so that the
// service computes nothing during the measurement, and each vehicle has an id and names of its own. GET /moving-COUNT/... moves a third of them
// before each response, at the time in `x-now`.
import { createServer } from "node:http";
import { startSandbox } from "./server-programs.mjs";

async function recordsOf(count) {
  const { child, readList } = await startSandbox(count);
  try {
    return await (await readList()).json();
  } finally {
    child.kill();
  }
}

async function fleetOf(count) {
  const byId = new Map((await recordsOf(count)).map((record) => [record.assetId, JSON.stringify(record)]));
  const all = Buffer.from(`[${[...byId.values()].join(",")}]`);
  return { all, some: (ids) => Buffer.from(`[${ids.flatMap((id) => byId.get(id) ?? []).join(",")}]`) };
}

const DEGREES = 0.01;

/** A fleet of which a third drives, and reports it at the time of each request. */
async function movingFleetOf(count) {
  const records = await recordsOf(count);
  const driving = records.filter(({ latitude }, at) => at % 3 === 0 && latitude !== undefined);
  let step = DEGREES;
  return (time, since) => {
    for (const record of driving) {
      record.date = time;
      record.latitude += step;
    }
    step = -step;
    const from = since === null ? Number.NEGATIVE_INFINITY : Date.parse(since);
    return Buffer.from(JSON.stringify(records.filter(({ date }) => Date.parse(date) >= from)));
  };
}

const fleets = new Map();
const moving = new Map();
const kept = (map, count, make) => map.get(count) ?? map.set(count, make(count)).get(count);

async function respond(request, response) {
  const { pathname, searchParams } = new URL(request.url, "http://service");
  const [, isMoving, count] = /^\/(moving-)?(\d+)\//.exec(pathname);
  const ids = searchParams.getAll("vehicleIds").flatMap((text) => text.split(","));
  let body;
  if (isMoving) body = (await kept(moving, Number(count), movingFleetOf))(request.headers["x-now"], searchParams.get("fromDateTime"));
  else {
    const { all, some } = await kept(fleets, Number(count), fleetOf);
    body = ids.length > 0 ? some(ids) : all;
  }
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
}

const server = createServer((request, response) => {
  respond(request, response).catch((error) => {
    console.error(error);
    response.destroy();
  });
});

// A connection may be idle for long while other clients are measured; closing it would look like their failure.
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1", () => process.send({ origin: `http://127.0.0.1:${server.address().port}` }));
process.once("disconnect", () => process.exit());
