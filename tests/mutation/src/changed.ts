import { spawnSync } from "node:child_process";
import { root } from "./root.ts";

function git(...args: string[]): string | undefined {
  const { status, stdout } = spawnSync("git", args, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

const DEFAULT_BRANCHES = ["origin/HEAD", "origin/main", "main"];

/** The commit to compare with: where this branch left the default branch or, on the default branch, the parent commit. */
function baseOf(): string {
  const head = git("rev-parse", "HEAD");
  const branch = DEFAULT_BRANCHES.map((name) => git("rev-parse", "--verify", "--quiet", name)).find((commit) => commit !== undefined);
  const base = branch === undefined ? undefined : git("merge-base", "HEAD", branch);
  if (base !== undefined && base !== head) return base;
  return git("rev-parse", "--verify", "--quiet", "HEAD^1") ?? "HEAD";
}

/** Files that differ from a commit, including uncommitted ones, relative to the root. */
export function changedFiles(base = baseOf()): Set<string> {
  const committed = git("diff", "--name-only", "--diff-filter=d", base);
  if (committed === undefined) throw new Error(`unknown commit: ${base}`);
  const untracked = git("ls-files", "--others", "--exclude-standard") ?? "";
  return new Set(`${committed}\n${untracked}`.split("\n").filter(Boolean));
}
