import { createFleetClient } from "../src/index.ts";

/** Makes 60 calls on one signal and aborts it when told so on stdin. Must then end by itself. */
const [origin = "", kind = ""] = process.argv.slice(2);
const fleet = createFleetClient({
  customerId: "c42",
  credentials: { clientId: "id", clientSecret: "secret" },
  servers: { base: origin, apiHost: origin, job: origin, tacho: origin, auth: origin },
});
const { signal, abort } = ((controller) => ({ signal: controller.signal, abort: () => controller.abort() }))(new AbortController());

async function all(records: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of records);
}

const period = { startTime: "2026-11-19T00:00:00", endTime: "2026-11-20T00:00:00" };
const calls: Record<string, () => Promise<unknown>> = {
  reads: () => fleet.listLivePositions({}, { signal }),
  "calls that wait for a token": () => fleet.listTireEvents({}, { signal }),
  creations: () => fleet.createJob({ address: "a" }, { signal }),
  streams: () => all(fleet.listLivePositions.iterate({}, { signal })),
  "paged lists": () => all(fleet.queryTachoActivity.iterate(period, { signal })),
  watches: () => all(fleet.watchPositions({}, { signal })),
  "abandoned streams": () => fleet.listLivePositions.iterate({}, { signal }).next(),
  "abandoned watches": () => fleet.watchPositions({}, { signal }).next(),
};

const ends = Array.from({ length: 60 }, () => calls[kind]?.());
process.stdin.once("data", () => {
  abort();
  process.stdin.destroy();
});
const settled = await Promise.allSettled(ends);
const codes = settled.map((end) => (end.status === "rejected" ? (end.reason as { code: string }).code : "done"));
console.log([...new Set(codes)].join());
