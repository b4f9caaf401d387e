import { readFileSync } from "node:fs";
import { questionOf } from "./questions/index.ts";
import { openSession } from "./session.ts";
import { appendLines, readTranscript, repeat } from "./transcript.ts";
for (const [id, tool, args] of JSON.parse(readFileSync(process.argv[2]!, "utf8"))) {
  const t = readTranscript("winter", id);
  const session = await openSession(questionOf(id));
  await repeat(session, t.calls);
  const { call, text } = await session.call(tool, args);
  appendLines("winter", id, [{ call }]);
  console.log(`=== ${id} [${call.tokens}]${call.refused ? " [error]" : ""}\nQ: ${questionOf(id).text}\n${text}\n`);
  await session.close();
}
process.exit(0);
