import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { surfaceDigest, surfaceOf } from "../src/cli/surface.ts";
import { describedServer } from "./described-server.ts";

/** What each tool costs a model, in o200k tokens. */
export async function generate(): Promise<GeneratedFiles> {
  const { tools } = await describedServer();
  const counted = tools.map(({ name, description = "", inputSchema }) => {
    const surface = surfaceOf({ name, description, inputSchema });
    return [name, { tokens: countTokens(surface), surface: surfaceDigest(surface) }];
  });
  return { "packages/mcp-server/surface.json": `${JSON.stringify(Object.fromEntries(counted), null, 2)}\n` };
}
