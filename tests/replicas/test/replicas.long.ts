import { debianProgram } from "@fleetwire/packaging/debian-program";
import { expect, it, onTestFinished } from "vitest";
import { faultsOf, runLoad, tableOf } from "./load.ts";
import { openDeployment, redisPath } from "./setup.ts";

it("three replicas behind nginx fail no read, and create every job exactly once, while they and Redis are killed again and again", async ({
  skip,
}) => {
  const nginx = await debianProgram("nginx");
  if (nginx === undefined || redisPath === undefined) return skip("there is no nginx or Redis");
  const deployment = await openDeployment(nginx, 24);
  onTestFinished(deployment.close);
  const result = await runLoad(deployment, { reads: 60, jobs: 15, rounds: 2 });
  const jobs = await deployment.jobs();
  console.log(tableOf(result, jobs));
  expect(faultsOf(result, jobs)).toEqual([]);
  const { kills, withoutRedis } = result;
  expect(new Set(kills.map((what) => what.replace(/\d/, "N")))).toEqual(new Set(["replica N", "redis"]));
  // Proves that calls arrived while Redis was gone.
  expect(Math.min(withoutRedis.reads, withoutRedis.refusedWrites)).toBeGreaterThan(0);
  expect([...withoutRedis.texts].join("\n")).toMatch(/nothing was sent/);
  expect(deployment.logged()).not.toContain("canary");
});
