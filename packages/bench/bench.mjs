// Run with --expose-gc. Figures depend on the machine and its load: the control, which runs the same case twice, shows how reliable they are.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { compareLongLists } from "./long-lists.mjs";
import { machine } from "./measure.mjs";
import { compareWholeLists } from "./whole-lists.mjs";

const server = fork(fileURLToPath(new URL("fleet-server.mjs", import.meta.url)));
try {
  const [{ origin }] = await once(server, "message");
  console.log(machine());
  // First, while this process is small: a child's peak memory is never reported as less than its parent's.
  await compareLongLists(origin);
  await compareWholeLists(origin);
} finally {
  server.disconnect();
}
