import { openSession } from "./session.ts";
import { readFileSync } from "node:fs";
const session = await openSession({ world: "weekend" });
for (const [tool, args] of JSON.parse(readFileSync(process.argv[2]!, "utf8"))) { const { call, text } = await session.call(tool, args); console.log(`=== ${tool} ${JSON.stringify(args)} [${call.tokens}] ${call.refused}\n${text}\n`); }
process.exit(0);
