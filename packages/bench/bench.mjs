// Run with --expose-gc. Figures depend on the machine and on what else it does: the control, the same reading twice, tells how far to trust them.
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
  // First, while this process is small: a child's peak memory is never told as less than that of the process which started it.
  await compareLongLists(origin);
  await compareWholeLists(origin);
} finally {
  server.disconnect();
}
