import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 30 });
  return status === 0 ? stdout.trim() : undefined;
}

const DEFAULT_BRANCHES = ["origin/HEAD", "origin/main", "main"];

/** The commit to compare with; undefined in a shallow clone, an export or a first commit. */
export function baseOf(): { commit: string; what: string } | undefined {
  const commitOf = (name: string) => git("rev-parse", "--verify", "--quiet", `${name}^{commit}`);
  const branch = DEFAULT_BRANCHES.map(commitOf).find((commit) => commit !== undefined);
  const left = branch === undefined ? undefined : git("merge-base", "HEAD", branch);
  if (left !== undefined && left !== commitOf("HEAD")) return { commit: left, what: "where this branch left the default branch" };
  const parent = commitOf("HEAD^1");
  return parent === undefined ? undefined : { commit: parent, what: "the parent commit" };
}

/** The lines that were added or changed since a commit, by file, relative to the root; they include uncommitted changes. */
export function changedLines(base: string): Map<string, Set<number>> {
  const quiet = ["-c", "core.quotePath=false"];
  const diff = git(...quiet, "diff", "-U0", "--no-color", "--no-ext-diff", "--src-prefix=a/", "--dst-prefix=b/", "--diff-filter=d", base);
  if (diff === undefined) throw new Error(`unknown commit: ${base}`);
  const changed = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const row of diff.split("\n")) {
    const [, file] = /^\+\+\+ b\/(.*?)\t?$/.exec(row) ?? [];
    if (file !== undefined) {
      lines = new Set();
      changed.set(file, lines);
    }
    const [, start, count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(row) ?? [];
    for (let line = Number(start); line < Number(start) + Number(count); line++) lines.add(line);
  }
  const untracked = git(...quiet, "ls-files", "--others", "--exclude-standard") ?? "";
  for (const file of untracked.split("\n").filter(Boolean)) {
    const count = readFileSync(join(root, file), "utf8").split("\n").length;
    changed.set(file, new Set(Array.from({ length: count }, (_, index) => index + 1)));
  }
  return changed;
}
