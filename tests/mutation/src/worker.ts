import { fileURLToPath } from "node:url";
import { createVitest } from "vitest/node";
import { base } from "../../../vitest.base.ts";
import { root } from "./root.ts";
import { switchesPlugin } from "./switches-plugin.ts";
import { mutatedSources } from "./task-queue.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const vitest = await createVitest(
  "test",
  {
    ...base.test,
    root,
    config: false,
    watch: false,
    runner: at("worker-runner.ts"),
    dir: at("."),
    include: ["nothing.ts"],
    pool: "forks",
    isolate: false,
    maxWorkers: 1,
    hookTimeout: 60_000,
    reporters: [{}],
    update: false,
    disableConsoleIntercept: true,
    passWithNoTests: true,
  },
  {
    resolve: base.resolve ?? {},
    ssr: base.ssr ?? {},
    plugins: [switchesPlugin(mutatedSources(process.env["FLEETWIRE_MUTATION_FOLDER"] ?? ""))],
  },
);
await vitest.start();
await vitest.close();
