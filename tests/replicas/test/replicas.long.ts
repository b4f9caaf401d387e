import { debianProgram } from "@fleetwire/packaging/debian-program";
import { expect, it, onTestFinished } from "vitest";
import { openDeployment } from "./deployment.ts";
import { runLoad } from "./load.ts";
import { faultsOf, tableOf } from "./report.ts";

it("three replicas fail no read, and create every job exactly once, while they and Redis are killed again and again", async ({ skip }) => {
  const [nginx, redis] = [await debianProgram("nginx"), await debianProgram("redis-server")];
  if (nginx === undefined || redis === undefined) return skip("there is no nginx or Redis");
  const deployment = await openDeployment({ nginx, redis, callers: 24 });
  onTestFinished(deployment.close);
  const result = await runLoad(deployment, { reads: 200, jobs: 50, rounds: 4 });
  const jobs = await deployment.jobs();
  console.log(tableOf(result, jobs));
  expect(faultsOf(result, jobs)).toEqual([]);
});
