import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const tree = join(realpathSync(mkdtempSync(join(tmpdir(), "mutated-tree-"))), "/");
const source = join(tree, "packages/core/src/fare.ts");

const mutants = (...args: string[]) => run("src/command.ts", ...args);

function run(...args: string[]): { status: number | null; text: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [at("../scripts/run-source.mjs"), ...args], {
    encoding: "utf8",
    env: { ...process.env, FLEETWIRE_MUTATION_ROOT: tree },
  });
  return { status, text: `${stdout}${stderr}` };
}

const git = (...args: string[]) =>
  spawnSync("git", ["-c", "user.name=fleet", "-c", "user.email=fleet@example.com", ...args], { cwd: tree, stdio: "ignore" });

beforeAll(() => {
  cpSync(at("fixture"), tree, { recursive: true });
  mkdirSync(join(tree, "node_modules"));
  symlinkSync(at("../../../node_modules/vitest"), join(tree, "node_modules/vitest"));
  writeFileSync(join(tree, ".gitignore"), "node_modules\n");
  git("init", "-b", "main");
  git("add", ".");
  git("commit", "-m", "All of it");
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

describe("mutants of a package", () => {
  it("are killed or survive as they should", { timeout: 180_000 }, () => {
    const { status, text } = mutants();
    const survivors = [...text.matchAll(/^packages.*?:\d+ {2}(.*)\n {4}(.*)$/gm)].map(([, what, by]) => `${what}: ${by}`);
    expect(survivors).toEqual([
      "a < b → (a <= b): covered by core/test/fare.test.ts, core/test/repeated.test.ts",
      "a > b → (a >= b): covered by core/test/fare.test.ts, core/test/repeated.test.ts",
      "kilometres * 2 → undefined: covered by no test",
      "kilometres * 2 → (kilometres / 2): covered by no test",
      "2 → (2 + 1): covered by no test",
    ]);
    // That test fails whenever it runs a second time, with a mutant or without.
    expect(text).toMatch(/it fails without a mutant when repeated: .*repeated\.test\.ts/);
    expect(status).toBe(1);
  });

  it("are not tested again until the source or a test of theirs changes", { timeout: 180_000 }, () => {
    appendFileSync(source, "// No change.\n");
    expect(mutants("core/src").text).not.toMatch(/Ignored/);
    appendFileSync(join(tree, "packages/core/test/repeated.test.ts"), "\n");
    expect(mutants("fare.ts").text).toMatch(/Ignored/);
  });

  it("are those of changed files with --changed", { timeout: 180_000 }, () => {
    git("checkout", ".");
    expect(mutants("--changed").text).toMatch(/No source files to mutate/);
    git("checkout", "-b", "change");
    writeFileSync(source, "export const untested = (kilometres: number): number => kilometres;\n");
    expect(mutants("--changed").text).toMatch(/^all +1 +0/m);
    git("commit", "-am", "Less of it");
    expect(mutants("--changed").text).toMatch(/^all +1 +0/m);
  });
});

describe("the mutants of a change, in npm run test:all", () => {
  const covering = 'import { expect, it } from "vitest";\nimport { doubled } from "../src/double.ts";\n\n';

  it("fail it if they survive, until a test kills them", { timeout: 180_000 }, () => {
    git("checkout", "-B", "change", "main");
    writeFileSync(join(tree, "packages/core/src/double.ts"), "export const doubled = (fare: number): number => fare * 2;\n");
    writeFileSync(join(tree, "packages/core/test/double.test.ts"), `${covering}it("runs", () => void doubled(2));\n`);
    git("add", ".");
    git("commit", "-m", "Double it");
    const weak = run("src/gate.ts");
    expect(weak.text).toMatch(/^3 mutants in lines changed since \w+, where this branch left the default branch/m);
    expect(weak.text).toMatch(
      /core\/src\/double\.ts:1 {2}fare \* 2 → \(fare \/ 2\)\n +covered by core\/test\/double\.test\.ts\n +id: .*\n/,
    );
    expect(weak.status).toBe(1);
    writeFileSync(join(tree, "packages/core/test/double.test.ts"), `${covering}it("doubles", () => expect(doubled(2)).toBe(4));\n`);
    const strong = run("src/gate.ts");
    expect(strong.text).toMatch(/^all +3 +3 +100/m);
    expect(strong.status).toBe(0);
  });

  it("are a sample without a commit to compare with", { timeout: 180_000 }, () => {
    git("checkout", "--force", "main");
    expect(run("src/gate.ts").text).toMatch(/^No commit to compare with: a fixed sample of core$/m);
  });
});
