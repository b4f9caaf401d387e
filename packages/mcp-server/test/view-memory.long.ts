import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { fleetService, type Responder } from "../../tools/test/served-fleet.ts";
import { environmentOf } from "./server-under-test.ts";
import { initialize, memoryOf, request, start } from "./spawned-bin.ts";

const VEHICLES = 4_000;
/** As many reads as a quarter of an hour has with the default FLEET_SNAPSHOT_SECONDS. */
const READS = Number(process.env["VIEW_READS"] ?? 160);
/** Reads between two figures; the process has settled after the first of them. */
const WARM = 20;
const MAX_GROWTH = 1.15;
/** Vehicles that leave, and as many that join, between two reads; and as many drivers and names that change. */
const CHANGED = 100;

/** Milliseconds after which the garbage has been collected, and its memory returned. */
const SETTLING = 500;

/** Collects garbage on a signal, so that what is left is what the server holds. */
const COLLECTOR =
  "import{setFlagsFromString}from'node:v8';import{runInNewContext}from'node:vm';setFlagsFromString('--expose-gc');const/**/gc=runInNewContext('gc');process.on('SIGUSR2',()=>gc());";

function fleetAt(read: number) {
  return Array.from({ length: VEHICLES }, (_, at) => {
    const number = at < CHANGED ? VEHICLES + read * CHANGED + at : at;
    const isRenamed = at >= CHANGED && at < 2 * CHANGED;
    return {
      ...{ assetId: `v${number}`, assetName: isRenamed ? `Spare ${read} ${at}` : `Truck ${number}` },
      ...{ assetRegistration: `B KL ${number}`, assetVin: `WDB${String(number).padStart(14, "0")}` },
      ...{ assetGroupId: `g${at % 50}`, assetGroupName: `Depot ${at % 50}`, driverId: `d${isRenamed ? read * CHANGED + at : at}` },
      driverName: isRenamed ? `Jan Novak${read}` : `Jan Kowalski ${at}`,
      ...{ eventType: read % 2 ? "driving" : "stopped", speed: (read * 7 + at) % 90 },
      ...{ latitude: 50 + (at % 1000) / 1000 + read / 1e4, longitude: 8 + read / 1e4 },
      date: new Date(Date.UTC(2026, 10, 20) + read * 5_000).toISOString(),
    };
  });
}

it("the view of a fleet holds no more memory after hundreds of reads than after the first ones", async () => {
  let reads = 0;
  const listLivePositions: Responder = ({ url }) => ({ body: url.searchParams.has("showAllVehicleStatus") ? [] : fleetAt(reads++) });
  const { origin } = await fleetService({ listLivePositions });
  const load = `--import=data:text/javascript,${encodeURIComponent(COLLECTOR)}`;
  const { child, lines, send } = start([], { ...environmentOf(origin), NODE_OPTIONS: load });
  send(initialize(0));
  await lines(1);
  const questions = [
    ["locate_vehicle", { query: "truck 2000" }],
    ["summarize_fleet", {}],
    ["locate_vehicle", { query: "spare 99999" }],
  ] as const;
  let sent = 0;
  const ask = async () => {
    const [name, args] = questions[sent % questions.length] as (typeof questions)[number];
    send(request(++sent, "tools/call", { name, arguments: args }));
    await lines(sent + 1);
  };
  const memory: number[] = [];
  while (reads < READS) {
    const before = reads;
    await ask();
    if (Math.floor(reads / WARM) === Math.floor(before / WARM)) continue;
    child.kill("SIGUSR2");
    await pause(SETTLING);
    memory.push(memoryOf(child.pid));
  }
  console.log(`resident MB after every ${WARM} of ${reads} reads: ${memory.map((value) => value.toFixed(0)).join(" ")}`);
  // Single figures differ by a fifth, so the halves are compared.
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
  const half = memory.length >> 1;
  const growth = median(memory.slice(half)) / median(memory.slice(0, half));
  expect(growth, "see packages/tools/src/fleet/fleet-view.ts").toBeLessThan(MAX_GROWTH);
});
