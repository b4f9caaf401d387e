// Watches one fleet in its own process, and reports what a poll takes, half a minute after the one before.
import { createFleetTools } from "@fleetwire/tools";
import { watchFleet } from "@fleetwire/tools/watch";
import { measured, median, memory } from "./measure.mjs";

const [origin, ...counts] = process.argv.slice(2);
const [vehicles, rules, polls] = counts.map(Number);
const INTERVAL = 30_000;

/** Conditions that need no list but the live positions. */
const FOR_ALL = [
  { when: "arrives", at: { town: "Lyon" } },
  { when: "speedOver", kmh: 130, forMinutes: 2 },
];
const OF_ONE = [
  { when: "arrives", at: { lat: 45.75, lng: 4.85, radiusMetres: 300 } },
  { when: "leaves", at: { lat: 45.75, lng: 4.85, radiusMetres: 50_000 } },
  { when: "stops", forMinutes: 30 },
  { when: "silent", forMinutes: 60 },
  { when: "speedOver", kmh: 90, forMinutes: 2 },
  { when: "fuelBelow", percent: 15 },
  { when: "entersCountry", country: "FR" },
];

let now = Date.now();
const config = {
  customerId: "c1",
  credentials: { clientId: "id", clientSecret: "secret" },
  servers: { base: `${origin}/moving-${vehicles}` },
  snapshotSeconds: 0,
  fetch: (url, init) => {
    const headers = new Headers(init?.headers);
    headers.set("x-now", new Date(now).toISOString());
    return fetch(url, { ...init, headers });
  },
};
const fleet = createFleetTools(config, { now: () => now, callTimeout: 600_000, gazetteer: () => import("@fleetwire/tools/gazetteer") });

const response = await fetch(`${config.servers.base}/ready`, { headers: { "x-now": new Date(now).toISOString() } });
const ids = (await response.json()).map(({ assetId }) => assetId);
const all = FOR_ALL.slice(0, rules - 1).map((rule, at) => ({ id: `all-${at}`, ...rule }));
const named = Array.from({ length: rules - all.length }, (_, at) => ({
  id: `one-${at}`,
  vehicle: ids[(at * 7) % ids.length],
  ...OF_ONE[at % OF_ONE.length],
}));

const idle = memory();
const taken = [];
let [events, polled] = [0, () => {}];
let poll = () => {};
const untilNext = () => {
  polled();
  return new Promise((resolve) => {
    poll = resolve;
  });
};
const next = (begin) =>
  new Promise((resolve) => {
    polled = resolve;
    begin();
  });
const watch = async () => {
  for await (const _ of watchFleet(fleet, { rules: [...all, ...named] }, { untilNext })) events++;
};
await next(() => void watch());
for (let count = -1; count < polls; count++) {
  now += INTERVAL;
  const { result: _, ...one } = await measured(() => next(() => poll()));
  if (count >= 0) taken.push(one);
}
const of = (field) => taken.map((one) => one[field]);
process.send({ cpu: median(of("cpu")), stall: median(of("stall")), held: (memory() - idle) / 1e6, events }, () => process.exit());
