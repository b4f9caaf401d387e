import { fileURLToPath } from "node:url";
import { runOnNode24 } from "./node24-command.ts";

export const SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12";

const CLIENT = fileURLToPath(new URL("../drivers/oauth-client.mjs", import.meta.url));

interface Outcome {
  /** The authorization scenarios that the revision requires, sorted. */
  required: string[];
  passed: string[];
}

/**
 * Runs the authorization scenarios of the conformance suite. The suite has none for servers, only for clients. The client here is the one whose flow
 * oauth-flow.test.ts runs against this server, so that both ends of that flow are known to be right.
 */
export async function runAuthorizationScenarios(revision: string, suites: readonly string[]): Promise<Outcome> {
  const listed = await runOnNode24(SUITE, ["conformance", "list", "--requirements", revision], /Client scenarios/);
  const required = [...listed.output.matchAll(/^ {2}- (auth\/\S+)$/gm)].map(([, name = ""]) => name);
  if (required.length === 0) throw new Error(`the suite lists no authorization scenarios for ${revision}`);
  const passed: string[] = [];
  for (const suite of suites) {
    const args = [
      "conformance",
      "client",
      "--command",
      `node ${CLIENT}`,
      "--suite",
      suite,
      "--spec-version",
      revision,
      "--timeout",
      "120000",
    ];
    const { output } = await runOnNode24(SUITE, args, /SUITE SUMMARY/);
    for (const [, name = ""] of output.matchAll(/^✓ (auth\/\S+): [1-9]\d* passed, 0 failed/gm)) passed.push(name);
  }
  return { required: required.toSorted(), passed: passed.toSorted() };
}
