import { fixtureText, loadFixtures, loadInterface } from "@fleetwire/contract-tests";
import { presenceOf } from "@fleetwire/contract-tests/replay";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { replayTools, type ToolReplay } from "../test/recordings/tool-check.ts";

/** The file that lists the fields of each tool result. Nearly all are optional, so no schema detects that one has vanished. */
export function fieldsFile({ outputs }: ToolReplay): GeneratedFiles {
  const fields = [...outputs].map(([id, result]) => [id, presenceOf(result)] as const);
  return {
    "packages/mcp-server/test/recordings/fields.json": fixtureText(Object.fromEntries(fields.filter(([, paths]) => paths.length > 0))),
  };
}

/** Replays every fixture through the tools. Throws if they differ from the recordings, because wrong fields would be recorded as correct. */
export async function generate(): Promise<GeneratedFiles> {
  const replay = await replayTools(loadFixtures(), loadInterface());
  const [finding] = replay.findings;
  if (finding) throw new Error(`${finding.fixture}: ${finding.problem}. Fix what test/recordings in packages/mcp-server reports first`);
  return fieldsFile(replay);
}
