import { debianProgram } from "@fleetwire/packaging/debian-program";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDeployment } from "./deployment.ts";
import { runLoad } from "./load.ts";
import { faultsOf, tableOf } from "./report.ts";

const nginx = await debianProgram("nginx");
const redis = await debianProgram("redis-server");

describe.skipIf(nginx === undefined || redis === undefined)("three replicas behind nginx", () => {
  it("fail no read, and create every job exactly once, while one of them and then Redis is killed and restarted", async () => {
    const deployment = await openDeployment({ nginx: nginx as string, redis: redis as string, callers: 6 });
    onTestFinished(deployment.close);
    const result = await runLoad(deployment, { reads: 15, jobs: 5, rounds: 1 });
    const jobs = await deployment.jobs();
    console.log(tableOf(result, jobs));
    expect(faultsOf(result, jobs)).toEqual([]);
    const { kills, withoutRedis } = result;
    expect(kills).toEqual([expect.stringMatching(/^replica \d$/), "redis"]);
    // Proves that both happened during the run.
    expect(Math.min(withoutRedis.reads, withoutRedis.refusedWrites)).toBeGreaterThan(0);
    expect([...withoutRedis.texts].join("\n")).toMatch(/nothing was sent/);
    expect(deployment.logged()).not.toContain("canary");
  });
});
