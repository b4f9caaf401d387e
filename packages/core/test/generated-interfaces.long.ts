import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { renderInterfaces } from "../scripts/interfaces/render.ts";
import * as core from "../src/index.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const src = new URL("../src/", import.meta.url);
const generated = Object.entries(renderInterfaces(src)).map(([path, text]) => ({ path, text }));

/** A copy of the sources outside the package, to compile modified code. */
function copyOfSources(): string {
  const folder = mkdtempSync(join(tmpdir(), "fleetwire-types-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const part of ["src", "package.json"]) cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const config = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: { types: [], noUnusedLocals: false },
    include: ["src", "agreement.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  return folder;
}

function compile(folder: string): string {
  const tsc = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8", timeout: 50_000 });
  return `${stdout}${stderr}`;
}

const DECLARED = /^export const (\w+): Operation<(\w+), (.+)> = defineOperation\(/m;

/** Removes the declared types of schemas and operations, so that they are inferred. Returns the declared ones by operation. */
function undeclare(folder: string): [name: string, input: string, output: string][] {
  for (const file of readdirSync(join(folder, "src/schemas"))) {
    const path = join(folder, "src/schemas", file);
    writeFileSync(path, readFileSync(path, "utf8").replace(/: ShapeSchema<shapes\.\w+> = /g, " = "));
  }
  const files = readdirSync(join(folder, "src/operations")).filter((name) => !/^index|generated/.test(name));
  return files.map((file) => {
    const path = join(folder, "src/operations", file);
    const text = readFileSync(path, "utf8");
    const [, name = "", input = "", output = ""] = DECLARED.exec(text) ?? [];
    writeFileSync(path, text.replace(DECLARED, "export const $1 = defineOperation("));
    // `inferred` comes from the client, so no schema has it.
    return [name, input, output.replace(/^Creation<(.+)>$/, "$1")];
  });
}

/** A module that compiles only if the declared types equal the inferred ones. */
function agreement(declared: readonly [name: string, input: string, output: string][]): string {
  const rows = declared.map(
    ([name, input, output]) => `
same<Input<InputOf<Operations["${name}"]>>, Input<inputs.${input}>>(true);
same<OutputOf<Operations["${name}"]>, ${output.replace(/^(?=[A-Z])/, "shapes.")}>(true);`,
  );
  const shapes = Object.entries(core).filter(([, value]) => value instanceof z.ZodObject);
  return `import type * as z from "zod";
import type * as core from "./src/index.ts";
import type { InputOf, OutputOf } from "./src/operation.ts";
import type * as inputs from "./src/operations/inputs.generated.ts";
import type { Operations } from "./src/operations/index.ts";
import type * as shapes from "./src/schemas/shapes.generated.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
/** Zod infers the lists of an input as writable; the interfaces accept readonly ones, too. */
type Input<T> = T extends Date ? T : T extends readonly (infer Item)[] ? readonly Input<Item>[] : T extends object ? { [Name in keyof T]: Input<T[Name]> } : T;
const same = <A, B>(_: Same<A, B>) => {};
${rows.join("")}
${shapes.map(([name]) => `same<Input<z.input<typeof core.${name}>>, Input<shapes.${name}>>(true);`).join("\n")}
`;
}

describe("the generated interfaces", () => {
  it.each(generated)("$path documents every interface and nearly every field", ({ text }) => {
    const lines = text.split("\n");
    const bare = lines.filter((line, at) => /^(export interface| {2}\S+\??:)/.test(line) && !/\*\/$/.test(lines[at - 1] ?? ""));
    // Sort keys are the names of documented fields.
    expect(bare.filter((line) => !line.includes('"ASC" | "DESC"'))).toEqual([]);
  });

  it("match the schemas", () => {
    const folder = copyOfSources();
    const declared = undeclare(folder);
    expect(declared.map(([name]) => name).sort()).toEqual(Object.keys(core.operations).sort());
    writeFileSync(join(folder, "agreement.ts"), agreement(declared));
    expect(compile(folder)).toBe("");
  });
});
