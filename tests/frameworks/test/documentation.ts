import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runProgram } from "@fleetwire/packaging";
import { describe, expect, it } from "vitest";
import { printed } from "./examples.ts";
import type { Framework } from "./frameworks.ts";
import { startGatedService } from "./gated-service.ts";
import { INSTALL_TIMEOUT, type Installed } from "./install-packages.ts";
import { scriptedProvider } from "./scripted-provider.ts";

const TSC = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
const MAX_LINES = 16;

const document = readFileSync(new URL("../../../docs/agents.md", import.meta.url), "utf8");

/** The code blocks in a language in a section of docs/agents.md. */
function blocksIn(section: string, language: string): string[] {
  const text = document.split(/^## /m).find((part) => part.startsWith(`${section}\n`));
  return [...(text ?? "").matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(([, code = ""]) => code);
}

const SETTINGS = "--strict --skipLibCheck --module nodenext --target es2023 --lib es2023,dom,dom.iterable,dom.asynciterable --types node";

const nameOf = (specifier: string) => specifier.replace(/(?<=.)@.*$/, "");
const versionOf = (specifier: string) => /(?<=.)@(.*)$/.exec(specifier)?.[1] ?? "";

/** Runs the programs in docs/agents.md exactly as printed, in a folder with only the packages that it installs. */
export function describeDocumentation(frameworks: readonly Framework[], installed: Installed): void {
  describe.each(frameworks)("docs/agents.md on $name", (framework) => {
    it("installs what is tested", () => {
      const [, , own, ...others] = (blocksIn(framework.name, "sh")[0] ?? "").trim().split(" ");
      expect([own, ...others.map(nameOf)]).toEqual(["@fleetwire/tools", ...framework.packages.map(nameOf)]);
      for (const [at, other] of others.entries())
        expect(versionOf(framework.packages[at] ?? "")).toMatch(new RegExp(`^${versionOf(other)}\\b`));
    });

    it(
      "has programs that compile without a cast, say where truck 12 is and ask before a write",
      async () => {
        const [code = "", approval] = blocksIn(framework.name, "ts");
        expect(`${code}${approval}`).not.toMatch(/\bas (?!const\b)|@ts-|\bany\b/);
        expect(code.trim().split("\n").length).toBeLessThanOrEqual(MAX_LINES);
        const folder = await installed.folder(framework);
        const programs = { "agent.ts": code, ...(approval !== undefined && { "approval.ts": approval }) };
        for (const [file, text] of Object.entries(programs)) await writeFile(join(folder, file), text);
        expect(await runProgram(process.execPath, [TSC, ...SETTINGS.split(" "), ...Object.keys(programs)], folder)).toBe("");
        const [service, provider] = await Promise.all([startGatedService(), scriptedProvider()]);
        try {
          const env = { ...service.env, ...provider.env, OPENAI_AGENTS_DISABLE_TRACING: "1", HOME: folder };
          const node = await installed.node(framework);
          expect(await runProgram(node, ["agent.js"], folder, 60, env)).toMatch(/^Truck 12 \(DW 6706N\): /m);
          for (const [reply, jobs] of approval === undefined
            ? []
            : ([
                ["no", 0],
                ["y", 1],
              ] as const)) {
            const child = spawn(node, ["approval.js"], { cwd: folder, env: { PATH: process.env["PATH"] ?? "", ...env } });
            child.stdin.write('call create_job {"address":"Example Road 1, Lyon","vehicleName":"Truck 12"}\n');
            expect(await printed(child, /\[y\/N\] $/)).toContain("address: Example Road 1, Lyon");
            expect(service.writes()).toBe(0);
            child.stdin.write(`${reply}\n`);
            expect(await once(child, "exit")).toEqual([0, null]);
            expect(service.writes()).toBe(jobs);
          }
        } finally {
          await Promise.all([service.stop(), provider.stop()]);
        }
      },
      INSTALL_TIMEOUT,
    );
  });
}
