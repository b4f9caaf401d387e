// Asks one question about the past in a process of its own, after smaller ones that warm up the code.
import { createFleetTools, fleetToolsConfigFromEnv } from "@fleetwire/tools";
import { measured, memory, peakMemory } from "./measure.mjs";

const [env, now, tool, args] = process.argv.slice(2).map((text) => (/^[{\d]/.test(text) ? JSON.parse(text) : text));
const tools = createFleetTools(fleetToolsConfigFromEnv({ ...env, FLEET_TIME_ZONE: "UTC" }), { now: () => now, callTimeout: 600_000 });

async function ask(name, given) {
  const { ok, text } = await tools.call(name, given);
  if (!ok) throw new Error(text);
}

const idle = memory();
const warmUps = tool === "where_was" ? { vehicle: "truck 5", time: "2 days ago" } : { driver: "truck 5", period: "yesterday" };
for (let round = 0; round < 5; round++) await ask(tool, warmUps);
const { result: _, ...taken } = await measured(() => ask(tool, args));
process.send({ ...taken, peak: peakMemory("self") - idle / 1e6 }, () => process.exit());
