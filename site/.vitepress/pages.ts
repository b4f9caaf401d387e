import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository, whose documents are the pages. */
export const root: string = fileURLToPath(new URL("../../", import.meta.url));

const manifest = JSON.parse(readFileSync(`${root}package.json`, "utf8")) as { repository: { url: string } };

/** Where the repository is on the web. */
export const repository: string = manifest.repository.url.replace(/^git\+|\.git$/g, "");

/** What is left in the repository. The site has a start page of its own, docs/README.md. */
export const EXCLUDED = [
  "README.md",
  "{evaluation,plugins,scripts,skills,tests}/**",
  "site/{.vitepress,dist}/**",
  "site/reference/typedoc/**",
  "packages/{bench,console,map}/**",
  "packages/*/api.md",
  "packages/*/*/**",
  "examples/*/*/**",
];

/** Where the site shows a document: `docs/tools.md` is `tools.md`, and `packages/core/README.md` is `packages/core.md`. */
export function pageOf(source: string): string {
  // docs/security.md says what is protected.
  if (source === "SECURITY.md") return "security-policy.md";
  if (!source.includes("/")) return source.toLowerCase();
  if (/^(packages|examples)\//.test(source)) return source.replace(/\/README\.md$/, ".md");
  return source.replace(/^(docs|site)\//, "").replace(/(^|\/)README\.md$/, "$1index.md");
}

/** The address of a page in the site. */
export const addressOf = (source: string): string => `/${pageOf(source).replace(/(^|(?<=\/)|(?=\.md$))(index)?\.md$/, "")}`;

/** A link of a document as a link of the site: to a page, or to the repository. */
export function siteLink(source: string, link: string, pages: readonly string[]): string {
  if (/^[a-z][a-z+.-]*:|^[#/]/i.test(link)) return link;
  const [, path = "", hash = ""] = /^([^#]*)(#.*)?$/.exec(link) ?? [];
  const target = posix.join(posix.dirname(source), path).replace(/\/$/, "");
  if (pages.includes(target)) return `${addressOf(target)}${hash}`;
  if (!existsSync(`${root}${target}`)) throw new Error(`${source} links to ${link}, which does not exist`);
  return `${repository}/blob/main/${target}${hash}`;
}
