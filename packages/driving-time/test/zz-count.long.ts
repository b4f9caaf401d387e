import { appendFileSync } from "node:fs";
import { it } from "vitest";
import { compareInfringements } from "./random-infringements.ts";
it("counts", { timeout: 3_000_000 }, () => {
  let bad = 0;
  for (let seed = 1001; seed <= 11_000; seed++) {
    try { compareInfringements(seed, 1); } catch (e) { const m = String((e as Error).message); if (/seed/.test(m)) { bad++; appendFileSync("/tmp/past-rest/bad.txt", `${m.slice(0,120)} ${JSON.stringify((e as any).actual)}\n`); } }
    if (seed % 500 === 0) appendFileSync("/tmp/past-rest/bad.txt", `at ${seed}: ${bad}\n`);
  }
});
