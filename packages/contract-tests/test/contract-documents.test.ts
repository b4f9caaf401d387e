import { readFileSync } from "node:fs";
import { clientVariables } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { run } from "./run-command.ts";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const documents = ["README.md", "../../docs/contract-checks.md", "examples/verify-deployment.yml"];

describe.each(documents)("%s", (path) => {
  const text = read(path);

  it("names existing verbs and flags", async () => {
    const uses = [...text.matchAll(/fleetwire-contract ([a-z]+)((?: +(?:--[a-z-]+|[a-z,-]+|[A-Z]+|"?\$?\w+\.?\w*"?))*)/g)];
    expect(uses.length).toBeGreaterThan(1);
    for (const [use, verb = "", rest = ""] of uses) {
      const { stdout } = await run([verb, "--help"]);
      expect(stdout, use).toContain(`Usage: fleetwire-contract ${verb} `);
      for (const [flag] of rest.matchAll(/--[a-z-]+/g)) expect(stdout, use).toMatch(new RegExp(`^  ${flag}\\b`, "m"));
    }
  });

  it("names existing variables", () => {
    for (const [name] of text.matchAll(/\bFLEET_[A-Z_]+\b/g)) expect([...Object.keys(clientVariables), "FLEET_SEAL_KEY"]).toContain(name);
  });
});

it("the workflow passes every connection variable, and no secret on a command line", () => {
  const workflow = read("examples/verify-deployment.yml");
  for (const line of workflow.split("\n").filter((text) => text.includes("secrets.")))
    expect(line).toMatch(/^ {10}FLEET_\w+: \$\{\{ secrets\.\w+ \}\}$/);
  const ofConnection = Object.entries(clientVariables).filter(([, variable]) => "connection" in variable && !("contentOf" in variable));
  for (const [name] of ofConnection) expect(workflow.match(new RegExp(`^ {10}${name}: `, "gm")), name).toHaveLength(2);
});
