import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { OpenApiDocument } from "./compare-documents.ts";
import type { ToolDefinition } from "./compare-tools.ts";

/** What is compared of a release; a single file has one of these. */
export interface Release {
  document?: OpenApiDocument;
  tools?: readonly ToolDefinition[];
  /** API reports by package. */
  reports?: Record<string, string>;
}

const MAX_BYTES = 50_000_000;

function readText(path: string): string {
  if (statSync(path).size > MAX_BYTES) throw new Error(`${path} has more than ${MAX_BYTES / 1_000_000} MB`);
  return readFileSync(path, "utf8");
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readText(path));
  } catch (error) {
    if (error instanceof SyntaxError) throw new Error(`${path} is not JSON: convert YAML first`);
    throw error;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);

const isTool = (value: unknown): value is ToolDefinition => isObject(value) && typeof value["name"] === "string";

/** Reads an OpenAPI document, or the tools that an MCP server lists, as its `tools/list` returns them. */
function readFile(path: string): Release {
  const content = readJson(path);
  const result = isObject(content) && isObject(content["result"]) ? content["result"] : content;
  const tools = Array.isArray(result) ? result : isObject(result) ? result["tools"] : undefined;
  if (Array.isArray(tools) && tools.every(isTool)) return { tools };
  if (isObject(content) && typeof content["openapi"] === "string" && content["openapi"].startsWith("3."))
    return { document: content as unknown as OpenApiDocument };
  throw new Error(`${path} is neither an OpenAPI 3 document, nor a list of tools`);
}

/** Where a folder of packages, such as `node_modules/@fleetwire`, has what is compared. */
const DOCUMENT = "core/openapi.json";
const TOOLS = "mcp-server/snapshots/tools";
const REPORT = "api.md";

function readFolder(folder: string): Release {
  const [document, tools] = [join(folder, DOCUMENT), join(folder, TOOLS)];
  const reports = readdirSync(folder).flatMap((name) => {
    const report = join(folder, name, REPORT);
    return existsSync(report) ? [[name, readText(report)]] : [];
  });
  const release: Release = {
    ...(existsSync(document) && readFile(document)),
    ...(existsSync(tools) && { tools: toolsIn(tools) }),
    ...(reports.length > 0 && { reports: Object.fromEntries(reports) }),
  };
  if (Object.keys(release).length === 0)
    throw new Error(`${folder} holds no release: name a folder of packages, such as node_modules/@fleetwire`);
  return release;
}

function toolsIn(folder: string): ToolDefinition[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => {
      const tool = readJson(join(folder, name));
      if (!isTool(tool)) throw new Error(`${join(folder, name)} is not a tool`);
      return tool;
    });
}

/** Reads a release: an OpenAPI document, a list of tools, or a folder of packages. */
export function readRelease(path: string): Release {
  if (!existsSync(path)) throw new Error(`${path} does not exist`);
  return statSync(path).isDirectory() ? readFolder(path) : readFile(path);
}
