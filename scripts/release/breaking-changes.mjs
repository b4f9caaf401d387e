// What breaks callers of the contract, or of the tools, since the last release, which git has.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { run } from "./steps.mjs";

const DOCUMENT = "packages/core/openapi.json";
const TOOLS = "packages/mcp-server/snapshots/tools";

const LIMITS = new Set(["required", "pattern", "format", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"]);

/** The facts that break callers: those that are gone, except limits of requests and words of responses, and new limits of requests and types of responses. */
export function breaksBetween(before, after) {
  const partsOf = (fact) => /^(?<at>\S+ (?<place>\S+)) (?<keyword>\S+)/.exec(fact)?.groups ?? {};
  const known = new Set([...before].map((fact) => partsOf(fact).at));
  const stated = new Set([...before].map((fact) => `${partsOf(fact).at} ${partsOf(fact).keyword}`));
  const isSent = (place) => /^(?:query|path|header|body)\b/.test(place);
  const gone = [...before].filter((fact) => {
    const { place, keyword } = partsOf(fact);
    return !after.has(fact) && !(isSent(place) ? LIMITS.has(keyword) : keyword === "enum");
  });
  const added = [...after].filter((fact) => {
    const { at, place, keyword } = partsOf(fact);
    if (before.has(fact)) return false;
    if (!isSent(place)) return keyword === "type" && stated.has(`${at} ${keyword}`);
    if (keyword === "enum") return known.has(at) && !stated.has(`${at} ${keyword}`);
    return LIMITS.has(keyword) && (keyword === "required" || known.has(at));
  });
  return [...gone.map((fact) => `gone: ${fact}`), ...added.map((fact) => `new: ${fact}`)];
}

/** The tools as a document whose operations have their arguments as bodies. What a model reads may change at any time. */
export function documentOf(tools) {
  const withoutWords = (key, value) => (key === "description" && typeof value === "string" ? undefined : value);
  const item = ({ name, inputSchema }) => ({ post: { operationId: name, requestBody: { content: { json: { schema: inputSchema } } } } });
  const paths = Object.fromEntries(tools.map((tool) => [`/${tool.name}`, item(tool)]));
  return JSON.parse(JSON.stringify({ paths, components: { securitySchemes: {} } }), withoutWords);
}

/** Throws if the built copy breaks callers of the last release of the client, or of the server, and its version does not say so. */
export async function refuseUndeclaredBreaks(root, copy, versions) {
  const { factsOf } = await import(pathToFileURL(join(copy, "packages/contract-tests/dist/interface/facts.js")).href);
  const git = (...args) => run(["git", ...args], root);
  const contractAt = async (tag) => JSON.parse(await git("show", `${tag}:${DOCUMENT}`));
  const toolsAt = async (tag) => {
    const files = (await git("ls-tree", "--name-only", tag, `${TOOLS}/`)).trim().split("\n");
    return documentOf(await Promise.all(files.map(async (file) => JSON.parse(await git("show", `${tag}:${file}`)))));
  };
  const readJson = (file) => JSON.parse(readFileSync(join(copy, file), "utf8"));
  const released = [
    { name: "@fleetwire/core", at: contractAt, now: () => readJson(DOCUMENT) },
    {
      name: "@fleetwire/mcp-server",
      at: toolsAt,
      now: () => documentOf(readdirSync(join(copy, TOOLS)).map((file) => readJson(join(TOOLS, file)))),
    },
  ];
  const majorOf = (version) => Number(version.split(".")[0]);
  for (const { name, at, now } of released) {
    const [tag] = (await git("tag", "--list", `${name}@*`, "--sort=-version:refname")).split("\n");
    const last = tag.slice(`${name}@`.length);
    if (last === "" || majorOf(versions[name]) > majorOf(last)) continue;
    const breaks = breaksBetween(factsOf(await at(tag)), factsOf(now()));
    if (breaks.length > 0) throw new Error(`${breaks.join("\n")}\nThis breaks callers of ${last}: add a changeset with "${name}": major`);
  }
}
