import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { launchBrowser } from "./browser.ts";
import { seriousFindings } from "./console-page.ts";
import { addToken, type StartedProgram, type StartedSandbox, startSandbox, startServer } from "./started-program.ts";

let browser: Browser | undefined;
let sandbox: StartedSandbox;
let server: StartedProgram;
let folder: string;
let token: string;

beforeAll(async () => {
  browser = await launchBrowser();
  sandbox = await startSandbox();
  folder = mkdtempSync(join(tmpdir(), "fleetwire-console-"));
  const file = join(folder, "tokens.json");
  token = addToken(file, "night-shift");
  server = await startServer({ ...sandbox.env, FLEET_CALLER_AUTH: "token", FLEET_TOKENS_FILE: file });
}, 600_000);

beforeEach(({ skip }) => skip(browser === undefined, "There is no Chromium"));

afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await sandbox?.stop();
  rmSync(folder, { recursive: true, force: true });
});

it("a caller signs in with a token, sees the fleet, and signs out; no script can read the token", async () => {
  const context = await (browser as Browser).newContext();
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => message.type() === "error" && !message.text().includes("401") && complaints.push(message.text()));
  await page.goto(server.ready);
  await page.waitForURL("**/console/sign-in");
  expect(await seriousFindings(page)).toEqual([]);

  await page.getByLabel("Token").fill("canary-wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("alert").getByText("This token is not valid.").waitFor();

  await page.getByLabel("Token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText(/^\d+ vehicles$/).waitFor();
  const readable = await page.evaluate("JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, location.href])");
  expect(readable).toBe(JSON.stringify(["", {}, {}, server.ready]));
  expect((await context.cookies()).map(({ name, httpOnly, sameSite }) => ({ name, httpOnly, sameSite }))).toEqual([
    { name: "fleetwire-session", httpOnly: true, sameSite: "Strict" },
  ]);

  await page.getByRole("link", { name: "night-shift" }).click();
  await page.getByText("Signed in as night-shift").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Token").waitFor();
  await page.goto(server.ready);
  await page.waitForURL("**/console/sign-in");
  expect(complaints.filter((text) => !text.includes("status of 401"))).toEqual([]);
  await context.close();
});
