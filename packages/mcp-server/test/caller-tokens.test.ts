import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fleetService } from "../../tools/test/fleet-service.ts";
import { served, temporaryFolder, tenantsFile, tokensFile, toolsIn } from "./callers-under-test.ts";
import { raw, readyAt } from "./http-under-test.ts";
import { run } from "./run-program.ts";
import { environmentOf } from "./server-under-test.ts";
import { BIN, cleanEnv, start } from "./spawned-bin.ts";
import { tenantSettings } from "./tenants-under-test.ts";

const READ = { scopes: ["fleet:read"] } as const;

async function underTest(file: string) {
  const service = await fleetService({ listLivePositions: () => ({ body: [] }) });
  return served(
    { ...environmentOf(service.origin), FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file },
    { callerRate: 10_000, tokenCheckMs: 50 },
  );
}

const hashesIn = (file: string): Record<string, unknown>[] => JSON.parse(readFileSync(file, "utf8")).tokens;

describe("fleetwire-mcp token", () => {
  it("adds a token to a file and prints it; the file has only its hash", async () => {
    const file = join(temporaryFolder(), "tokens.json");
    const first = await run(["token", "--name", "dispatch", "--write", "--tenant", "north", "--days", "30", "--tokens-file", file]);
    const second = await run(["token", "--name", "reports"], { FLEET_TOKENS_FILE: file });
    expect([first.code, second.code]).toEqual([0, 0]);
    expect(first.stdout).toMatch(/^fwt_[\w-]{43}\n$/);
    expect(second.stdout).not.toBe(first.stdout);
    const added = "the token is not shown again. To revoke it, run fleetwire-mcp token --revoke";
    expect([first.stderr, second.stderr]).toEqual([
      `fleetwire-mcp: added dispatch to the file; ${added} dispatch --tokens-file ${file}\n`,
      `fleetwire-mcp: added reports to the file, without an expiry (--days sets one); ${added} reports\n`,
    ]);
    expect(hashesIn(file)).toEqual([
      { name: "dispatch", hash: expect.any(String), scopes: ["fleet:read", "fleet:write"], tenant: "north", expires: expect.any(String) },
      { name: "reports", hash: expect.any(String), scopes: ["fleet:read"] },
    ]);
    expect(readFileSync(file, "utf8")).not.toContain(first.stdout.trim().slice(4, 20));
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it.each<[string, string[], Record<string, string>, RegExp]>([
    ["no file", ["--name", "x"], {}, /set --tokens-file or FLEET_TOKENS_FILE/],
    ["no name", ["--tokens-file", "x.json"], {}, /set one of --name, --list and --revoke/],
    ["two tasks at once", ["--tokens-file", "x.json", "--name", "x", "--list"], {}, /set one of --name, --list and --revoke/],
    ["to list a file that does not exist", ["--list", "--tokens-file", "no-such-file.json"], {}, /the file cannot be read/],
    ["to revoke in a file that does not exist", ["--revoke", "x", "--tokens-file", "no-such-file.json"], {}, /the file cannot be read/],
    ["a name with a line break", ["--name", "a\nb", "--tokens-file", "t.json"], {}, /must consist of/],
    ["no days at all", ["--name", "x", "--days", "0"], {}, /whole number of days, at least 1/],
    ["days that are no number", ["--name", "x", "--days", "soon"], {}, /whole number of days/],
    [
      "a folder that does not exist",
      ["--name", "x", "--tokens-file", join(import.meta.dirname, "no-such-folder", "t.json")],
      {},
      /cannot be written/,
    ],
  ])("refuses %s in one line, exit code 2", async (_, args, env, expected) => {
    const { code, stdout, stderr } = await run(["token", ...args], env);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(expected);
    expect(stderr.trimEnd()).not.toContain("\n");
  });

  it("writes the file as people would, and leaves it to its owner", async () => {
    const { file } = tokensFile({ dispatch: READ });
    expect(readFileSync(file, "utf8")).toBe(`${JSON.stringify({ tokens: hashesIn(file) }, null, 2)}\n`);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(file, 1_234, 1_235);
    await run(["token", "--name", "reports", "--tokens-file", file]);
    expect(hashesIn(file)).toHaveLength(2);
    if (isRoot) expect(statSync(file)).toMatchObject({ uid: 1_234, gid: 1_235 });
  });

  it("--list shows everything about the tokens but the tokens and their hashes", async () => {
    const { file, tokens } = tokensFile({
      dispatch: { scopes: ["fleet:read", "fleet:write"], tenant: "north", expires: new Date("2100-01-01T00:00:00Z") },
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
    for (const { hash } of hashesIn(file)) expect(stdout).not.toContain(hash);
    for (const token of Object.values(tokens)) expect(stdout).not.toContain(token.slice(4, 20));
  });

  it("--revoke removes a token from the file, and a running server rejects it", async () => {
    const { file, tokens } = tokensFile({ dispatch: READ, night: READ });
    const { list } = await underTest(file);
    expect([(await list(tokens.dispatch)).status, (await list(tokens.night)).status]).toEqual([200, 200]);
    const { code, stdout, stderr } = await run(["token", "--revoke", "night", "--tokens-file", file]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: "", stderr: expect.stringContaining("revoked night") });
    expect(hashesIn(file).map(({ name }) => name)).toEqual(["dispatch"]);
    expect(readdirSync(dirname(file))).toEqual(["tokens.json"]);
    await expect.poll(async () => (await list(tokens.night)).status, { timeout: 30_000, interval: 20 }).toBe(401);
    expect((await list(tokens.dispatch)).status).toBe(200);
  });

  it("--revoke refuses a name that is not in the file, and says which are", async () => {
    const { file } = tokensFile({ dispatch: READ, night: READ });
    const before = readFileSync(file, "utf8");
    const { code, stderr } = await run(["token", "--revoke", "nigth", "--tokens-file", file]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: "fleetwire-mcp: there is no token nigth; tokens: dispatch, night\n" });
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it.each<[string, string[], string]>([
    ["a tenant that the tenants file lacks", ["--tenant", "nroth"], "there is no tenant nroth; tenants: north, south"],
    ["no tenant", [], "with a tenants file, a token needs a tenant; tenants: north, south"],
  ])("refuses %s, and says which there are", async (_, args, expected) => {
    const file = join(temporaryFolder(), "tokens.json");
    // The secrets are in variables of the server, which are not set here.
    const tenants = tenantsFile({ north: { settings: tenantSettings("north", "http://127.0.0.1:9") }, south: { settings: {} } });
    const adding = (...more: string[]) => run(["token", "--name", "dispatch", "--tokens-file", file, ...more]);
    const { code, stdout, stderr } = await adding("--tenants-file", tenants, ...args);
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: expect.stringContaining(expected) });
    expect(readdirSync(dirname(file))).toEqual([]);
    expect(
      (await run(["token", "--name", "dispatch", "--tokens-file", file, "--tenant", "north"], { FLEET_TENANTS_FILE: tenants })).code,
    ).toBe(0);
  });

  it("refuses a second token of the same name", async () => {
    const { file } = tokensFile({ dispatch: READ });
    const { code, stderr } = await run(["token", "--name", "dispatch", "--tokens-file", file]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining("there is already a token dispatch. Choose another --name"),
    });
  });

  it("does not propose to create a file that is there", async () => {
    const { file } = tokensFile({ dispatch: READ });
    writeFileSync(file, "{");
    const { code, stderr } = await run(["token", "--list", "--tokens-file", file]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("not valid JSON. Correct the file")]);
    const missing = await run(["token", "--list", "--tokens-file", `${file}.none`]);
    expect(missing.stderr).toContain("cannot be read. Create it with fleetwire-mcp token");
  });

  it.skipIf(process.platform === "win32")("keeps the permissions of the file, and replaces what a link refers to", async () => {
    const { file } = tokensFile({ dispatch: READ });
    chmodSync(file, 0o640);
    const link = join(temporaryFolder(), "link.json");
    symlinkSync(file, link);
    expect((await run(["token", "--name", "night", "--tokens-file", link])).code).toBe(0);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(hashesIn(file).map(({ name }) => name)).toEqual(["dispatch", "night"]);
  });

  it("does not overwrite what another command is adding at the same time", async () => {
    const { file } = tokensFile({ dispatch: READ });
    writeFileSync(`${file}.new`, "");
    const { code, stdout, stderr } = await run(["token", "--name", "night", "--tokens-file", file]);
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringContaining("another command is writing the file"),
    });
    rmSync(`${file}.new`);
    expect((await run(["token", "--name", "dispatch", "--tokens-file", file])).code).toBe(2);
    expect((await run(["token", "--name", "night", "--tokens-file", file])).code).toBe(0);
    expect(readdirSync(dirname(file))).toEqual(["tokens.json"]);
  });

  it.skipIf(process.platform === "win32")("leaves the file unchanged if the disk is full", async () => {
    const { file } = tokensFile({ ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`caller-${at}`, READ])) });
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

  it("makes a token that the built bin accepts, and nothing else", async () => {
    const { file, tokens } = tokensFile({ dispatch: READ });
    const { child } = start(["http", "--port", "0", "--sandbox", "--caller-auth", "token", "--tokens-file", file]);
    const url = await readyAt(child);
    const headers = { accept: "application/json, text/event-stream" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
    const send = (token: string) => raw(url, { headers: { ...headers, authorization: `Bearer ${token}` }, body });
    expect(toolsIn((await send(tokens.dispatch)).text)).toContain("locate_vehicle");
    expect((await send(`${tokens.dispatch}x`)).status).toBe(401);
    expect((await raw(url, { headers, body })).status).toBe(401);
  });

  it("makes a token with which the built bin serves a tenant's fleet", async () => {
    const service = await fleetService(
      { listLivePositions: () => ({ body: [{ assetId: "north-12", assetName: "Truck 12" }] }) },
      undefined,
      "cnorth",
    );
    const { file, tokens } = tokensFile({ dispatch: { ...READ, tenant: "north" } });
    const tenants = tenantsFile({ north: { settings: tenantSettings("north", service.origin) } });
    const args = ["http", "--port", "0", "--caller-auth", "token", "--tokens-file", file, "--tenants-file", tenants];
    const { child } = start(args, { ID_NORTH: "id", SECRET_NORTH: "canary" });
    const headers = { accept: "application/json, text/event-stream", authorization: `Bearer ${tokens.dispatch}` };
    const params = { name: "locate_vehicle", arguments: { query: "truck 12" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    expect((await raw(await readyAt(child), { headers, body })).text).toContain("north-12");
  });
});

describe("the file of tokens", () => {
  it("is read again when it changes: tokens are added and revoked without a restart", async () => {
    const { file, tokens } = tokensFile({ dispatch: READ });
    const { list, log } = await underTest(file);
    expect((await list(tokens.dispatch)).status).toBe(200);
    const added = (await run(["token", "--name", "night", "--tokens-file", file])).stdout.trim();
    await expect.poll(async () => (await list(added)).status, { timeout: 30_000, interval: 20 }).toBe(200);
    writeFileSync(file, JSON.stringify({ tokens: hashesIn(file).filter(({ name }) => name !== "dispatch") }));
    await expect.poll(async () => (await list(tokens.dispatch)).status, { timeout: 30_000, interval: 20 }).toBe(401);
    expect((await list(added)).status).toBe(200);
    expect(log.filter(({ msg }) => msg === "tokens read")).toHaveLength(2);
  });

  it("that becomes unreadable leaves the tokens read last valid, and the log says so", async () => {
    const { file, tokens } = tokensFile({ dispatch: READ });
    const { list, log } = await underTest(file);
    writeFileSync(file, "{");
    await expect
      .poll(
        async () => {
          await list(tokens.dispatch);
          return log.find(({ level }) => level === 50);
        },
        { timeout: 30_000, interval: 20 },
      )
      .toMatchObject({ problem: expect.stringContaining("not valid JSON") });
    expect((await list(tokens.dispatch)).status).toBe(200);
  });

  it.skipIf(process.platform === "win32")(
    "that others could write to is read once its permissions are fixed, and the log says so once",
    async () => {
      const { file, tokens } = tokensFile({ dispatch: READ, night: READ });
      const { list, log } = await underTest(file);
      const revoked = JSON.stringify({ tokens: hashesIn(file).filter(({ name }) => name !== "night") });
      writeFileSync(file, revoked);
      chmodSync(file, 0o666);
      const problems = () => log.filter(({ level }) => level === 50);
      const asked = async () => (await list(tokens.night)).status;
      await expect.poll(async () => [await asked(), problems().length], { timeout: 30_000, interval: 20 }).toEqual([200, 1]);
      // Is looked at again in the meantime.
      await new Promise((resolve) => setTimeout(resolve, 120));
      expect([await asked(), problems().length]).toEqual([200, 1]);
      chmodSync(file, 0o600);
      await expect.poll(asked, { timeout: 30_000, interval: 20 }).toBe(401);
      expect((await list(tokens.dispatch)).status).toBe(200);
    },
  );

  it("may limit how long a token is valid", async () => {
    const { file, tokens } = tokensFile({ brief: { ...READ, expires: new Date(Date.now() + 60_000) } });
    const { list } = await underTest(file);
    expect((await list(tokens.brief)).status).toBe(200);
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
    onTestFinished(() => void vi.useRealTimers());
    const { status, headers } = await list(tokens.brief);
    expect({ status, challenge: headers["www-authenticate"] }).toEqual({ status: 401, challenge: expect.stringContaining("expired") });
  });

  const entry = { name: "x", hash: "x".repeat(43), scopes: ["fleet:read"] };
  it.each<[string, string, RegExp]>([
    ["no JSON", "{", /not valid JSON/],
    ["an unknown scope", JSON.stringify({ tokens: [{ ...entry, scopes: ["fleet:all"] }] }), /tokens\.0\.scopes/],
    ["a token instead of a hash", JSON.stringify({ tokens: [{ ...entry, hash: "fwt_canary-token" }] }), /SHA-256 hash/],
    ["an unknown field", JSON.stringify({ tokens: [{ ...entry, admin: true }] }), /admin/],
  ])("with %s is refused at the start, exit code 2", async (_, text, expected) => {
    const file = join(temporaryFolder(), "tokens.json");
    writeFileSync(file, text, { mode: 0o600 });
    const { code, stderr } = await run(["http", "--caller-auth", "token", "--tokens-file", file, "--sandbox", "--port", "0"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(expected) });
    expect(stderr).toContain("FLEET_TOKENS_FILE");
  });

  it.skipIf(process.platform === "win32")("is refused if others can write to it", async () => {
    const { file } = tokensFile({ dispatch: READ });
    chmodSync(file, 0o666);
    const { code, stderr } = await run(["http", "--caller-auth", "token", "--tokens-file", file, "--sandbox", "--port", "0"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("others can write to the file") });
  });
});
