import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { describedServer } from "./described-server.ts";

/** What each tool costs a model, in o200k tokens. */
export async function generate(): Promise<GeneratedFiles> {
  const { tools } = await describedServer();
  const counted = tools.map(({ name, description = "", inputSchema }) => [
    name,
    countTokens(JSON.stringify({ name, description, inputSchema })),
  ]);
  return { "packages/mcp-server/token-costs.json": `${JSON.stringify(Object.fromEntries(counted), null, 2)}\n` };
}
