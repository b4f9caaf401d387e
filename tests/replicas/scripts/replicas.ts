// Puts three replicas behind nginx under load while they and Redis are killed, and prints the figures: npm run -s replicas -- [rounds] [callers].
import { debianProgram } from "@fleetwire/packaging/debian-program";
import { faultsOf, runLoad, tableOf } from "../test/load.ts";
import { openDeployment, redisPath } from "../test/setup.ts";

const [rounds = 1, callers = 12] = process.argv.slice(2).map(Number);

const nginx = await debianProgram("nginx");
if (nginx === undefined || redisPath === undefined) process.exit(1);
const deployment = await openDeployment(nginx, callers);
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
