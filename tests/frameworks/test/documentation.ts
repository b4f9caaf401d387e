import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "@fleetwire/packaging";
import { createSandbox } from "@fleetwire/sandbox";
import { describe, expect, it } from "vitest";
import type { Framework } from "./frameworks.ts";
import { INSTALL_TIMEOUT, type Installed } from "./install-packages.ts";
import { scriptedProvider } from "./scripted-provider.ts";

const TSC = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
const MAX_LINES = 16;

const document = readFileSync(new URL("../../../docs/agents.md", import.meta.url), "utf8");

/** The first code block in a language in a section of docs/agents.md. */
function blockIn(section: string, language: string): string {
  const text = document.split(/^## /m).find((part) => part.startsWith(`${section}\n`));
  const [, code = ""] = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "ms").exec(text ?? "") ?? [];
  return code;
}

const nameOf = (specifier: string) => specifier.replace(/(?<=.)@.*$/, "");
const versionOf = (specifier: string) => /(?<=.)@(.*)$/.exec(specifier)?.[1] ?? "";

/** Runs the programs in docs/agents.md exactly as printed, in a folder with only the packages that it installs. */
export function describeDocumentation(frameworks: readonly Framework[], installed: Installed): void {
  describe.each(frameworks)("docs/agents.md on $name", (framework) => {
    it("installs what is tested", () => {
      const [, , own, ...others] = blockIn(framework.name, "sh").trim().split(" ");
      expect([own, ...others.map(nameOf)]).toEqual(["@fleetwire/tools", ...framework.packages.map(nameOf)]);
      for (const [at, other] of others.entries())
        expect(versionOf(framework.packages[at] ?? "")).toMatch(new RegExp(`^${versionOf(other)}\\b`));
    });

    it(
      "has lines that compile without a cast and say where truck 12 is",
      async () => {
        const code = blockIn(framework.name, "ts");
        expect(code).not.toMatch(/\bas (?!const\b)|@ts-|\bany\b/);
        expect(code.trim().split("\n").length).toBeLessThanOrEqual(MAX_LINES);
        const folder = await installed.folder(framework);
        await writeFile(join(folder, "agent.ts"), code);
        const settings =
          "--strict --skipLibCheck --module nodenext --target es2023 --lib es2023,dom,dom.iterable,dom.asynciterable --types node";
        expect(await runProgram(process.execPath, [TSC, ...settings.split(" "), "agent.ts"], folder)).toBe("");
        const [sandbox, provider] = [createSandbox(), await scriptedProvider()];
        try {
          const { env } = await sandbox.listen();
          const agent = { ...env, ...provider.env, OPENAI_AGENTS_DISABLE_TRACING: "1", HOME: folder };
          expect(await runProgram(await installed.node(framework), ["agent.js"], folder, 60, agent)).toMatch(/^Truck 12 \(DW 6706N\): /m);
        } finally {
          await provider.stop();
          await sandbox.close();
        }
      },
      INSTALL_TIMEOUT,
    );
  });
}
