import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./root.ts";

const PACKAGES = ["core", "driving-time", "tools", "sandbox", "mcp-server", "contract-tests"];

/** Tests of other folders that run a package's sources in their own process. */
const OTHER_TESTS = ["tests/replicas/test/redis.test.ts"];

/** Data kept between runs, outside git. */
export const cacheFolder = join(root, "node_modules/.cache/fleetwire-mutation");

/** The ordinary tests of all packages, relative to the root. */
export function testFiles(): string[] {
  const own = PACKAGES.filter((name) => existsSync(join(root, "packages", name, "test"))).flatMap((name) =>
    readdirSync(join(root, "packages", name, "test"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".test.ts"))
      .map((file) => `packages/${name}/test/${file}`)
      .sort(),
  );
  return [...own, ...OTHER_TESTS.filter((file) => existsSync(join(root, file)))];
}

export const slugOf = (file: string): string => file.replace(/[^\w.-]+/g, "_");

export const hashOf = (...texts: readonly string[]): string => {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(`${text.length}:${text}`);
  return hash.digest("hex").slice(0, 16);
};

export function readJson<Value>(path: string): Value | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Value;
  } catch {
    return undefined;
  }
}

/** Writes atomically, so that concurrent readers see the old file or the new one. */
export function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, JSON.stringify(value));
  renameSync(temporary, path);
}
