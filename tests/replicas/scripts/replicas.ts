// Puts three replicas behind nginx under load while they and Redis are killed, and prints the figures: npm run -s replicas -- [rounds] [callers].
import { debianProgram } from "@fleetwire/packaging/debian-program";
import { openDeployment } from "../test/deployment.ts";
import { runLoad } from "../test/load.ts";
import { faultsOf, tableOf } from "../test/report.ts";

const [rounds = 1, callers = 12] = process.argv.slice(2).map(Number);

const [nginx, redis] = [await debianProgram("nginx"), await debianProgram("redis-server")];
if (nginx === undefined || redis === undefined) process.exit(1);
const deployment = await openDeployment({ nginx, redis, callers });
try {
  const result = await runLoad(deployment, { reads: 60 * rounds, jobs: 15 * rounds, rounds });
  const jobs = await deployment.jobs();
  const faults = faultsOf(result, jobs);
  console.log(tableOf(result, jobs));
  for (const fault of faults) console.log(`FAULT: ${fault}`);
  process.exitCode = faults.length > 0 ? 1 : 0;
} finally {
  await deployment.close();
}
