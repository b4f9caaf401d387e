import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packPackage, runProgram } from "../src/packed-package.ts";
import { startLanguageServer } from "./language-server.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const compilers = {
  "TypeScript 7": here("../../../node_modules/typescript/bin/tsc"),
  // The version most users have. It is slow, so it skips third-party libraries.
  "TypeScript 5.9": here("../typescript-5/node_modules/typescript/bin/tsc"),
};

const settings = {
  NodeNext: { module: "NodeNext", lib: ["ES2023"], types: ["node"] },
  bundler: { module: "ESNext", moduleResolution: "bundler", lib: ["ES2023", "DOM", "DOM.Iterable"], types: ["node"] },
} as const;

const service = createServer((request, response) => {
  const known = request.url?.startsWith("/public/v1/customer/c42/tracking/live");
  response.writeHead(known ? 200 : 404, { "content-type": "application/json" }).end('[{"assetName":"Truck 12"}]');
});

const EXPECTED = '["Truck 12",200,"input",true,"Truck 12"]';
let folder: string;
let env: NodeJS.ProcessEnv;

/** A user's folder with the tarballs and their dependencies installed by npm. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fleetwire-consumer-"));
  const packed = await Promise.all(["core", "driving-time", "tools"].map(packPackage));
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  await runProgram("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...packed.map(({ tarball }) => tarball)], folder);
  for (const { remove } of packed) await remove();
  await mkdir(join(folder, "node_modules/@types"), { recursive: true });
  await symlink(here("../../../node_modules/@types/node"), join(folder, "node_modules/@types/node"));
  for (const name of ["main.ts", "editor.ts"]) await copyFile(here(`consumers/${name}`), join(folder, name));
  service.listen(0, "127.0.0.1");
  await once(service, "listening");
  env = { ORIGIN: `http://127.0.0.1:${(service.address() as AddressInfo).port}` };
}, 180_000);

afterAll(async () => {
  service.closeAllConnections();
  service.close();
  await rm(folder, { recursive: true, force: true });
});

const node = async (file: string) => (await runProgram(process.execPath, [file], folder, 60, env)).trim();

async function compile(tsc: string): Promise<string> {
  const config = join(folder, "tsconfig.bundler.json");
  const compilerOptions = {
    target: "ES2022",
    strict: true,
    noPropertyAccessFromIndexSignature: true,
    outDir: "out-bundler",
    ...settings.bundler,
  };
  await writeFile(config, JSON.stringify({ compilerOptions, files: ["main.ts"] }));
  const skipLibCheck = String(tsc === compilers["TypeScript 5.9"]);
  return runProgram(process.execPath, [tsc, "-p", config, "--skipLibCheck", skipLibCheck], folder);
}

// As ES modules, through require() and with NodeNext, the dry run of a release tries them.
describe("the packed and installed packages", () => {
  it.each(Object.entries(compilers))("compile with bundler resolution under %s, and run bundled", async (_, tsc) => {
    expect(await compile(tsc)).toBe("");
    const outfile = join(folder, "out-bundler/bundle.mjs");
    await build({ entryPoints: [join(folder, "out-bundler/main.js")], bundle: true, format: "esm", platform: "node", outfile });
    expect(await node(outfile)).toBe(EXPECTED);
  });
});

interface Hover {
  after: string;
  shows: string;
  docs: string | RegExp;
}

const hovers: Hover[] = [
  {
    after: "await fleet.",
    shows:
      "(property) FleetClient.listLivePositions: (input?: ListLivePositionsInput | undefined, options?: CallOptions) => Promise<LivePosition[]>",
    docs: "List the latest position and status of vehicles (interface 4.3).",
  },
  {
    after: "group = await fleet.",
    shows: "(property) FleetClient.updateGroup: (input: UpdateGroupInput, options?: CallOptions) => Promise<Group>",
    docs: /`conflict` \(HTTP 409\): Another group has that name/,
  },
  {
    after: "job = await fleet.",
    shows: "(property) FleetClient.createJob: (input: CreateJobInput, options?: CallOptions) => Promise<Creation<JobCreation>>",
    docs: "Each error has the jobNumber used.",
  },
  { after: "positions: ", shows: "(alias) type LivePosition = LivePosition", docs: "(interface 2.4)" },
  { after: "export const pos", shows: "const positions: LivePosition[]", docs: "" },
  { after: "first?.", shows: "(property) LivePosition.speed?: number | undefined", docs: "Speed in km/h" },
  {
    after: "Positions({ ",
    shows: "(property) ListLivePositionsInput.fromDateTime?: string | Date | undefined",
    docs: "Accepts a Date or an ISO 8601",
  },
  { after: 'Lyon", ', shows: "(property) JobRequest.jobRadius?: number | undefined", docs: "Radius in metres; defaults to 200." },
  { after: "const fl", shows: "const fleet: FleetClient", docs: "" },
];

describe("an editor", () => {
  const file = () => join(folder, "editor.ts");
  let server: ReturnType<typeof startLanguageServer>;

  beforeAll(async () => {
    const compilerOptions = { target: "ES2022", strict: true, ...settings.NodeNext };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["editor.ts"] }));
    server = startLanguageServer(compilers["TypeScript 7"], folder);
    await server.open(file());
  });

  afterAll(() => server.stop());

  it.each(hovers)("shows $shows", async ({ after, shows, docs }) => {
    const [, code, text] = /^```typescript\n([\s\S]*?)\n```\n?([\s\S]*)$/.exec(await server.hover(file(), after)) ?? [];
    expect(code).toBe(shows);
    expect(text?.replace(/\s+/g, " ")).toMatch(docs);
  });

  it("strikes through only the deprecated field", async () => {
    expect(await server.struckThrough(file())).toEqual(["dataContent"]);
  });
});
