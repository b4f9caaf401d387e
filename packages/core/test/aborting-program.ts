import { createFleetClient } from "../src/index.ts";

/** Makes 60 calls of each kind on one signal, one kind after the other, aborts it and prints how they end. Must then end by itself. */
const [origin = ""] = process.argv.slice(2);
const clientOf = (at: string) =>
  createFleetClient({
    customerId: "c42",
    credentials: { clientId: "id", clientSecret: "secret" },
    servers: { base: `${origin}/${at}`, apiHost: origin, job: origin, tacho: origin, auth: origin },
  });
const [silent, begun] = [clientOf("silent"), clientOf("begun")];

async function all(records: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of records);
}

const period = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };
const calls: Record<string, (signal: AbortSignal) => Promise<unknown>> = {
  reads: (signal) => silent.listLivePositions({}, { signal }),
  "streams without a response": (signal) => all(silent.listLivePositions.iterate({}, { signal })),
  streams: (signal) => all(begun.listLivePositions.iterate({}, { signal })),
  watches: (signal) => all(silent.watchPositions({}, { signal })),
  "calls that wait for a token": (signal) => silent.listTireEvents({}, { signal }),
  creations: (signal) => silent.createJob({ address: "a" }, { signal }),
  "paged lists": (signal) => all(silent.queryTachoActivity.iterate(period, { signal })),
  "abandoned streams": (signal) => begun.listLivePositions.iterate({}, { signal }).next(),
  "abandoned watches": (signal) => begun.watchPositions({}, { signal }).next(),
};

for (const [kind, call] of Object.entries(calls)) {
  const controller = new AbortController();
  const ends = Array.from({ length: 60 }, () => call(controller.signal));
  await (kind.startsWith("abandoned") ? Promise.all(ends.slice(0, 50)) : new Promise((resolve) => setTimeout(resolve, 100)));
  controller.abort();
  const settled = await Promise.allSettled(ends);
  const codes = settled.map((end) => (end.status === "rejected" ? (end.reason as { code: string }).code : "done"));
  console.log(`${kind}: ${[...new Set(codes)].sort().join()}`);
}
