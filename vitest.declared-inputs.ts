// nx serves cached test results while a target's declared inputs are unchanged, so a test must not open any other file.
import { mkdtempSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";

type Plugin = Extract<NonNullable<ViteUserConfig["plugins"]>[number], { name: string }>;

/** How a path was opened: as a file, to list the names in a folder, or as a folder with everything below it. */
export type Opening = "file" | "list" | "tree";

/** What the running target declares, with paths relative to the repository's root. */
export interface DeclaredInputs {
  task: string;
  /** The file that declares the inputs. */
  manifest: string;
  /** Files in the repository that are inputs. */
  files: readonly string[];
  /** Files in the repository that are not inputs. */
  others: readonly string[];
  /** `dist/` folders built before the tests, whose sources are inputs of those builds. */
  built: readonly string[];
  /** The folder where programs started by tests log what they open. */
  logs: string;
}

declare module "vitest" {
  export interface ProvidedContext {
    /** Undefined if the target is not cached. */
    declaredInputs: DeclaredInputs | undefined;
  }
}

const root = realpathSync(fileURLToPath(new URL(".", import.meta.url)));

/** Reads nx's hash inputs and task dependencies; undefined if the target is not cached. */
async function declaredInputs(folder: string, target: string): Promise<DeclaredInputs | undefined> {
  // Starting a daemon and plugin processes would take longer than the query.
  Object.assign(process.env, { NX_DAEMON: "false", NX_ISOLATE_PLUGINS: "false", NX_WORKSPACE_ROOT_PATH: root });
  const [{ createProjectGraphAsync }, { getTaskRawInputs }, { createTaskGraph }, { readNxJson }, { getAllFileDataInContext }] =
    await Promise.all([
      import("nx/src/project-graph/project-graph"),
      import("nx/src/hasher/check-task-files"),
      import("nx/src/tasks-runner/create-task-graph"),
      import("nx/src/config/nx-json"),
      import("nx/src/utils/workspace-context"),
    ]);
  const projectGraph = await createProjectGraphAsync();
  const project = Object.values(projectGraph.nodes).find(({ data }) => data.root === relative(root, folder));
  if (project?.data.targets?.[target]?.cache !== true) return undefined;
  const task = `${project.name}:${target}`;
  const nxJson = readNxJson(root) ?? {};
  const files = (await getTaskRawInputs(task, { projectGraph, nxJson }))?.files ?? [];
  const declared = new Set(files);
  const others = (await getAllFileDataInContext(root)).map(({ file }) => file).filter((file) => !declared.has(file));
  const { tasks } = createTaskGraph(projectGraph, {}, [project.name], [target], undefined, {}, false);
  const built = Object.values(tasks).flatMap(({ target: { target: name }, projectRoot }) =>
    name === "build" ? [`${projectRoot}/dist`] : [],
  );
  const logs = mkdtempSync(join(tmpdir(), "opened-files-"));
  process.once("exit", () => rmSync(logs, { recursive: true, force: true }));
  return { task, manifest: `${project.data.root}/package.json`, files, others, built, logs };
}

const isBelow = (folder: string) => (path: string) => folder === "." || path.startsWith(`${folder}/`);

/** A file that an opened path depends on but that is not an input, or undefined. */
export function undeclaredFile({ files, others, built }: DeclaredInputs, how: Opening, path: string): string | undefined {
  if (built.some((folder) => path === folder || isBelow(folder)(path))) return undefined;
  if (how === "tree") return others.includes(path) ? path : others.find(isBelow(path));
  if (how === "list") {
    const declared = files.filter(isBelow(path));
    // A folder exists as long as it contains an input.
    return others
      .filter(isBelow(path))
      .find((file) => dirname(file) === path || !declared.some(isBelow(join(path, relative(path, file).split("/")[0] ?? ""))));
  }
  const isInput = files.includes(path) || (statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() ?? true);
  return isInput ? undefined : path;
}

/** How to fix that an opened file is not an input. */
export function advice({ task, manifest }: DeclaredInputs, file: string): string {
  const [, target] = task.split(":");
  const [, built] = /^(.*)\/dist\//.exec(file) ?? [];
  return built
    ? `${file}, which is not built before ${task}. Add the build of ${built} to "dependsOn" of "${target}" in ${manifest}`
    : `${file}, which is not an input of ${task}: nx would serve a cached result after it changes. Add it to "inputs" of "${target}" in ${manifest}`;
}

/** Passes a project's declared inputs to its workers, where vitest.opened-files.ts checks them, and checks the modules loaded here. */
export function checkDeclaredInputs(target = process.env["NX_TASK_TARGET_TARGET"] ?? "test"): Plugin {
  let declared: DeclaredInputs | undefined;
  return {
    name: "fleetwire:declared-inputs",
    enforce: "pre",
    async configureVitest({ project }) {
      declared = await declaredInputs(project.config.root, target);
      project.provide("declaredInputs", declared);
    },
    transform(_, id) {
      const path = relative(root, id.replace(/[?#].*$/, ""));
      if (!declared || path.startsWith("..") || id.startsWith("\0") || /(^|\/)node_modules\//.test(path)) return;
      const file = undeclaredFile(declared, "file", path);
      if (file) throw new Error(advice(declared, file));
    },
  };
}
