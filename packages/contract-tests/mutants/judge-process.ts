import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Script } from "node:vm";
import type { Program } from "./program.ts";
import type { conviction, Suite } from "./suite.ts";

export interface Order {
  /** The module that is altered, in place of the one of the program. */
  altered: Program;
  publishedDocument: string;
  suite: Suite;
}

type Evaluate = (require: (specifier: string) => unknown, module: { exports: unknown }, exports: unknown) => void;

const [programFile = "", entry = "", ...standIns] = process.argv.slice(2);
const [replaced, standIn] = standIns;
const program = JSON.parse(readFileSync(programFile, "utf8")) as Program;

const compile = (path: string, script: string) =>
  new Script(`(function (require, module, exports) {${script}\n})`, { filename: path }).runInThisContext() as Evaluate;

/** Compiled once for all mutants, as are the packages of others. */
const compiled = new Map<string, Evaluate>();
const outside = new Map<string, unknown>();
/** Where a specifier leads to, by the module that it stands in. */
const resolved = new Map<string, string>();

function resolve(specifier: string, from: string): string {
  if (isBuiltin(specifier)) return specifier;
  const path = fileURLToPath(import.meta.resolve(specifier, pathToFileURL(from).href));
  return path === replaced && standIn !== undefined ? standIn : path;
}

async function prepare(path: string): Promise<void> {
  if (compiled.has(path)) return;
  const script = program[path] ?? "";
  compiled.set(path, compile(path, script));
  for (const [, specifier = ""] of script.matchAll(/\brequire\("([^"]+)"\)/g)) {
    const target = resolve(specifier, path);
    resolved.set(`${path} ${specifier}`, target);
    if (target in program) await prepare(target);
    else if (!outside.has(target)) {
      const namespace = await import(isBuiltin(target) ? target : pathToFileURL(target).href);
      outside.set(target, isBuiltin(target) ? namespace : { ...namespace, __esModule: true });
    }
  }
}

/** Evaluates every module anew, one of them altered. */
function run(altered: Program): { conviction: typeof conviction } {
  const modules = new Map<string, { exports: unknown }>();
  const load = (path: string): unknown => {
    const known = modules.get(path);
    if (known) return known.exports;
    const module = { exports: {} };
    modules.set(path, module);
    const script = altered[path];
    const evaluate = script === undefined ? compiled.get(path) : compile(path, script);
    evaluate?.(
      (specifier) => {
        const target = resolved.get(`${path} ${specifier}`) ?? "";
        return outside.get(target) ?? load(target);
      },
      module,
      module.exports,
    );
    return module.exports;
  };
  return load(entry) as { conviction: typeof conviction };
}

async function judge({ altered, publishedDocument, suite }: Order): Promise<string | undefined> {
  try {
    return await run(altered).conviction(publishedDocument, suite);
  } catch (error) {
    return `crash: ${error instanceof Error ? error.message : String(error)}`;
  }
}

// What a mutant leaves behind may fail later; it has been judged by then, or is about to be.
for (const event of ["uncaughtException", "unhandledRejection"] as const) process.on(event, () => {});

const prepared = prepare(entry);

process.on("message", (order: Order) => {
  void prepared
    .then(() => judge(order))
    .catch((error: unknown) => `crash: ${String(error)}`)
    .then((by) => process.send?.({ by }));
});
