import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { temporaryFolder } from "../../../tests/vitest/temporary-folder.ts";
import { BOTH, READ, served, tenantSettings, tenantsFile, tokensFile } from "./callers-under-test.ts";
import { run } from "./run-program.ts";
import { environmentOf } from "./server-under-test.ts";
import { BIN, cleanEnv } from "./spawned-bin.ts";

const onPosix = it.skipIf(process.platform === "win32");

const hashesIn = (file: string): Record<string, unknown>[] => JSON.parse(readFileSync(file, "utf8")).tokens;
const namesIn = (file: string) => hashesIn(file).map(({ name }) => name);
const add = (file: string, name: string, ...more: string[]) => run(["token", "--name", name, "--tokens-file", file, ...more]);

/** A server that reads a file of the tokens of dispatch and night. */
async function underTest() {
  const { file, tokens } = tokensFile({ dispatch: READ, night: READ });
  const env = { ...environmentOf("http://127.0.0.1:9"), FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file };
  const { list, log } = await served(env, { callerRate: 10_000, tokenCheckMs: 50 });
  const statusOf = async (token: string) => (await list(token)).status;
  const becomes = (token: string, status: number) => expect.poll(() => statusOf(token), { interval: 20 }).toBe(status);
  return { file, tokens, list, log, statusOf, becomes };
}

describe("fleetwire-mcp token", () => {
  it("adds a token to a file and prints it; the file has only its hash", async () => {
    const file = join(temporaryFolder(), "tokens.json");
    const first = await add(file, "dispatch", "--write", "--tenant", "north", "--days", "30");
    const second = await run(["token", "--name", "reports"], { FLEET_TOKENS_FILE: file });
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(first.stdout).toMatch(/^fwt_[\w-]{43}\n$/);
    expect(second.stdout).not.toBe(first.stdout);
    expect(first.stderr).toContain(`not shown again. To revoke it, run fleetwire-mcp token --revoke dispatch --tokens-file ${file}\n`);
    expect(second.stderr).toContain("without an expiry (--days sets one)");
    expect(hashesIn(file)).toEqual([
      { name: "dispatch", hash: expect.any(String), ...BOTH, tenant: "north", expires: expect.any(String) },
      { name: "reports", hash: expect.any(String), ...READ },
    ]);
    const text = readFileSync(file, "utf8");
    expect(text).toBe(`${JSON.stringify({ tokens: hashesIn(file) }, null, 2)}\n`);
    expect(text).not.toContain(first.stdout.trim().slice(4, 20));
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each<[string, string[], RegExp]>([
    ["no file", ["--name", "x"], /set --tokens-file or FLEET_TOKENS_FILE/],
    ["to list a file that does not exist", ["--list", "--tokens-file", "none.json"], /cannot be read. Create it with fleetwire-mcp token/],
    ["a name with a line break", ["--name", "a\nb", "--tokens-file", "t.json"], /must consist of/],
  ])("refuses %s in one line, exit code 2", async (_, args, expected) => {
    const { code, stdout, stderr } = await run(["token", ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(expected);
    expect(stderr.trimEnd()).not.toContain("\n");
  });

  it.each<[string, string[], string | RegExp]>([
    ["a second token of the same name", ["--name", "dispatch"], "there is already a token dispatch. Choose another --name"],
    ["to revoke a name that is not in the file", ["--revoke", "nigth"], "there is no token nigth; tokens: dispatch, night\n"],
    ["a tenant that the tenants file lacks", ["--name", "x", "--tenant", "nroth"], "there is no tenant nroth; tenants: north, south"],
    ["no tenant", ["--name", "x"], "with a tenants file, a token needs a tenant; tenants: north, south"],
  ])("refuses %s, and leaves the file", async (_, args, expected) => {
    const { file } = tokensFile({ dispatch: READ, night: READ });
    const before = readFileSync(file, "utf8");
    // The secrets are in variables of the server, which are not set here.
    const tenants = tenantsFile({ north: { settings: tenantSettings("north", "http://127.0.0.1:9") }, south: { settings: {} } });
    const env: Record<string, string> = args.includes("x") ? { FLEET_TENANTS_FILE: tenants } : {};
    const { code, stdout, stderr } = await run(["token", "--tokens-file", file, ...args], env);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining(expected as string) });
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("--list shows everything about the tokens but the tokens and their hashes", async () => {
    const { file, tokens } = tokensFile({
      dispatch: { ...BOTH, tenant: "north", expires: new Date("2100-01-01T00:00:00Z") },
      night: { ...READ, expires: new Date("2020-01-01T00:00:00Z") },
      reports: READ,
    });
    const { code, stdout, stderr } = await run(["token", "--list"], { FLEET_TOKENS_FILE: file });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n").map((line) => line.trim().split(/\s{2,}/))).toEqual([
      ["name", "scopes", "tenant", "expires"],
      ["dispatch", "fleet:read fleet:write", "north", "2100-01-01T00:00:00.000Z"],
      ["night", "fleet:read", "-", "2020-01-01T00:00:00.000Z (expired)"],
      ["reports", "fleet:read", "-", "never"],
      [""],
    ]);
    const hidden = [...hashesIn(file).map(({ hash }) => hash as string), ...Object.values(tokens).map((token) => token.slice(4, 20))];
    for (const secret of hidden) expect(stdout).not.toContain(secret);
  });

  onPosix("keeps the permissions and the owner of the file, and replaces what a link refers to", async () => {
    const { file } = tokensFile({ dispatch: READ });
    chmodSync(file, 0o640);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(file, 1_234, 1_235);
    const link = join(temporaryFolder(), "link.json");
    symlinkSync(file, link);
    expect((await add(link, "night")).code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    if (isRoot) expect(statSync(file)).toMatchObject({ uid: 1_234, gid: 1_235 });
    expect(namesIn(file)).toEqual(["dispatch", "night"]);
  });

  it("does not overwrite what another command is adding at the same time", async () => {
    const { file } = tokensFile({ dispatch: READ });
    writeFileSync(`${file}.new`, "");
    expect(await add(file, "night")).toMatchObject({ code: 2, stderr: expect.stringContaining("another command is writing the file") });
    rmSync(`${file}.new`);
    expect([(await add(file, "dispatch")).code, (await add(file, "night")).code]).toEqual([2, 0]);
    expect(readdirSync(dirname(file))).toEqual(["tokens.json"]);
  });

  onPosix("leaves the file unchanged if the disk is full", async () => {
    const { file } = tokensFile(Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`caller-${at}`, READ])));
    const before = readFileSync(file, "utf8");
    // The limit of a file's size, in blocks of at most 1,024 bytes, stops a write in its middle, as a full disk does.
    const script = 'ulimit -f 1 && exec "$NODE" "$BIN" token --name night --tokens-file "$FILE"';
    const env = { ...cleanEnv(), NODE: process.execPath, BIN, FILE: file };
    const { status, stdout, stderr } = spawnSync("sh", ["-c", script], { env, encoding: "utf8", timeout: 20_000 });
    expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: "", stderr: expect.stringContaining("the file cannot be written") });
    expect(before.length).toBeGreaterThan(1_024);
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(readdirSync(dirname(file))).toEqual(["tokens.json"]);
  });
});

describe("the file of tokens", () => {
  it("is read again when it changes: tokens are added and revoked without a restart, and expire", async () => {
    const { file, tokens, list, log, statusOf, becomes } = await underTest();
    expect([await statusOf(tokens.dispatch), await statusOf(tokens.night), await statusOf(`${tokens.night}x`)]).toEqual([200, 200, 401]);
    const day = (await add(file, "day", "--days", "1")).stdout.trim();
    await becomes(day, 200);
    const revoked = await run(["token", "--revoke", "night", "--tokens-file", file]);
    expect(revoked).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("revoked night") });
    expect(namesIn(file)).toEqual(["dispatch", "day"]);
    await becomes(tokens.night, 401);
    expect(await statusOf(tokens.dispatch)).toBe(200);
    expect(log.filter(({ msg }) => msg === "tokens read")).toHaveLength(2);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 86_401_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { status, headers } = await list(day);
    expect([status, headers["www-authenticate"]]).toEqual([401, expect.stringContaining("expired")]);
  });

  onPosix(
    "that others could write to, or garbage, leaves the tokens read last valid until it is fixed, and the log says so once",
    async () => {
      const { file, tokens, statusOf, becomes, log } = await underTest();
      const hashes = hashesIn(file);
      writeFileSync(file, "{");
      const problem = async () => (await statusOf(tokens.dispatch)) && log.find(({ level }) => level === 50);
      await expect.poll(problem, { interval: 20 }).toMatchObject({ problem: expect.stringContaining("not valid JSON") });
      writeFileSync(file, JSON.stringify({ tokens: hashes.filter(({ name }) => name !== "night") }));
      chmodSync(file, 0o666);
      const seen = async () => [await statusOf(tokens.night), log.filter(({ level }) => level === 50).length];
      await expect.poll(seen, { interval: 20 }).toEqual([200, 2]);
      // Is looked at again in the meantime.
      await new Promise((resolve) => setTimeout(resolve, 120));
      expect(await seen()).toEqual([200, 2]);
      chmodSync(file, 0o600);
      await becomes(tokens.night, 401);
      expect(await statusOf(tokens.dispatch)).toBe(200);
    },
  );

  const entry = { name: "x", hash: "x".repeat(43), scopes: ["fleet:read"] };
  it.each<[string, string, RegExp, mode?: number]>([
    ["no JSON", "{", /not valid JSON/],
    ["an unknown scope", JSON.stringify({ tokens: [{ ...entry, scopes: ["fleet:all"] }] }), /tokens\.0\.scopes/],
    ["a token instead of a hash", JSON.stringify({ tokens: [{ ...entry, hash: "fwt_canary-token" }] }), /SHA-256 hash/],
    ["an unknown field", JSON.stringify({ tokens: [{ ...entry, admin: true }] }), /admin/],
    ["permissions for others to write", JSON.stringify({ tokens: [entry] }), /others can write to the file/, 0o666],
  ])("with %s is refused at the start, exit code 2", async (_, text, expected, mode = 0o600) => {
    const file = join(temporaryFolder(), "tokens.json");
    writeFileSync(file, text);
    chmodSync(file, mode);
    const { code, stderr } = await run(["http", "--sandbox", "--port", "0"], { FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(expected) });
    expect(stderr).toContain("FLEET_TOKENS_FILE");
  });
});
