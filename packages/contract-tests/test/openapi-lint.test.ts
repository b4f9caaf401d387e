import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const published = readFileSync(at("../../core/openapi.json"), "utf8");

/** Lints a document with redocly's recommended rules; telemetry off, and no way out to the network. */
function lint(document: string): { code: number | null; output: string } {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-openapi-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "openapi.json"), document);
  const { status, stdout, stderr } = spawnSync(at("../node_modules/.bin/redocly"), ["lint", "--extends=recommended", "openapi.json"], {
    cwd: folder,
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"] ?? "",
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
      HTTP_PROXY: "http://127.0.0.1:9",
      HTTPS_PROXY: "http://127.0.0.1:9",
    },
  });
  return { code: status, output: stdout + stderr };
}

// biome-ignore lint/suspicious/noExplicitAny: each case breaks another place of the document
function broken(breakIt: (document: any) => void): string {
  const document = JSON.parse(published);
  breakIt(document);
  return JSON.stringify(document);
}

const POSITIONS = "/public/v1/customer/{customerId}/tracking/live";

describe("redocly lint of core's OpenAPI document", () => {
  it("finds no error", () => {
    const { code, output } = lint(published);
    expect(output).toContain("Your API description is valid");
    expect(code).toBe(0);
  });

  it.each([
    [
      "a reference to nothing",
      broken(({ paths }) => (paths[POSITIONS].get.responses["200"] = { $ref: "#/components/responses/None" })),
      "no-unresolved-refs",
    ],
    ["a field that OpenAPI does not have", broken(({ paths }) => (paths[POSITIONS].get.colour = "red")), "struct"],
    ["no title", broken(({ info }) => delete info.title), "struct"],
    ["a path parameter that is not declared", broken(({ paths }) => (paths[POSITIONS].get.parameters = [])), "path-parameters-defined"],
    ["two operations of one name", broken(({ paths }) => (paths[POSITIONS].get.operationId = "createJob")), "operation-operationId-unique"],
    [
      "no security",
      broken((document) => {
        delete document.security;
        delete document.paths[POSITIONS].get.security;
      }),
      "security-defined",
    ],
  ])("fails at %s", (_, document, rule) => {
    const { code, output } = lint(document);
    expect(output).toContain(rule);
    expect(code).toBe(1);
  });
});
