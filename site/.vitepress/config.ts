import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type SiteConfig } from "vitepress";
import { linkExports } from "./link-exports.ts";
import { writeLlmsTxt } from "./llms-txt.ts";
import { EXCLUDED, pageOf, repository, root, siteLink } from "./pages.ts";
import { writeReference } from "./reference.ts";
import { sidebar } from "./sidebar.ts";

/** The anchor that GitHub gives a heading, so that links work in both places. */
const slugify = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, "")
    .replaceAll(" ", "-");

let pages: readonly string[] = [];
let reference: ReadonlyMap<string, string> = new Map();

const config = defineConfig({
  title: "Fleetwire",
  description: "Ask an assistant about your fleet, and call your fleet-management service from code",
  lang: "en-GB",
  // Types and paths would make the tables of the reference wider than the page.
  head: [["style", {}, ".reference td:not(:first-child) { overflow-wrap: anywhere; min-width: 13.5rem; }"]],
  srcDir: "..",
  srcExclude: EXCLUDED,
  outDir: "dist",
  cacheDir: "node_modules/.cache/vitepress",
  rewrites: pageOf,
  cleanUrls: true,
  markdown: {
    anchor: { slugify },
    config: (markdown) => {
      markdown.core.ruler.push("site-links", ({ env, tokens }) => {
        const source = relative(root, env.realPath ?? env.path);
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          if (token.type === "link_open") token.attrSet("href", siteLink(source, token.attrGet("href") ?? "", pages));
        }
        for (const [at, token] of tokens.entries()) {
          if (tokens[at - 1]?.type !== "heading_open") token.children = linkExports(token.children, reference);
        }
      });
    },
  },
  vite: {
    plugins: [
      {
        name: "pages",
        configResolved: (config) => {
          ({ pages } = (config as unknown as { vitepress: SiteConfig }).vitepress);
        },
        // The documents are outside this folder, in which Vue is installed.
        enforce: "pre",
        resolveId(id, importer) {
          return /^vue(\/|$)/.test(id) && importer?.includes(".md")
            ? this.resolve(id, fileURLToPath(import.meta.url), { skipSelf: true })
            : undefined;
        },
      },
    ],
  },
  themeConfig: {
    search: { provider: "local" },
    editLink: { pattern: `${repository}/edit/main/:path` },
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: repository }],
    nav: sidebar.map(({ text, items: [first] }) => ({ text, link: first?.link ?? "/" })),
    sidebar,
  },
  buildEnd: writeLlmsTxt,
});

/** The pages are found once the configuration is read. A preview shows what was built. */
export default async ({ command }: { command: string }) => {
  if (command === "build") reference = await writeReference();
  return config;
};
