import { readdirSync } from "node:fs";
import { type OperationName, operations } from "@fleetwire/core";
import { createSandbox, type Sandbox } from "@fleetwire/sandbox";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blocksIn, document, programFolder } from "../src/document-programs.ts";

const PRINTED: Readonly<Record<OperationName, RegExp>> = {
  requestAccessToken: /^The credentials are valid: a bearer token for 3600 s\n$/,
  updateGroup: /^Night shift is at (\w+\.)*\w+\n$/,
  listVehicleFaults: /^20 of \d+ vehicles\n.+: \w+ .+\n/,
  listLivePositions: /^.+ drives at [\d.]+ km\/h near .+\n/,
  createJob: /^FW-\d{8}-\w{10} is ASSIGNED\n$/,
  queryTachoActivity: /^\w{14,} drove [1-9]\d* times\n/m,
  listTireEvents: /^[[{]\n[\s\S]*"\w+": /,
  listJobs: /^[[{]\n[\s\S]*"jobs?\w*": /,
};

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

let sandbox: Sandbox;
let env: Readonly<Record<string, string>>;
const programs = programFolder();

beforeAll(async () => {
  sandbox = createSandbox();
  ({ env } = await sandbox.listen());
});

afterAll(async () => {
  programs.remove();
  await sandbox.close();
});

it("every operation has a page, and no page is left over", () => {
  const pages = readdirSync(new URL("../../../docs/operations", import.meta.url));
  expect(pages.sort()).toEqual(
    Object.keys(operations)
      .map((name) => `${kebab(name)}.md`)
      .sort(),
  );
});

it.each(Object.entries(PRINTED))("the program on the page of %s runs as printed", async (name, printed) => {
  const [program = ""] = blocksIn(document(`operations/${kebab(name)}.md`), "ts");
  expect(await programs.run(program, env)).toMatch(printed);
});
