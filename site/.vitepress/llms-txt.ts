import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { SiteConfig } from "vitepress";
import { addressOf, pageOf, siteLink } from "./pages.ts";
import { sidebar } from "./sidebar.ts";

/** The first sentence of a document's first paragraph. */
function summaryOf(markdown: string): string {
  const paragraph = markdown.split(/\n\n/).find((block) => /^[A-Z*]/.test(block)) ?? "";
  return (/^.*?[.:](?=\s|$)/s.exec(paragraph)?.[0] ?? paragraph).replaceAll("\n", " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
}

/** Writes each page as Markdown, beside its HTML, and `llms.txt`, which lists them. */
export function writeLlmsTxt({ pages, srcDir, outDir, site }: SiteConfig): void {
  const sources = new Map(pages.map((source) => [addressOf(source), source]));
  const line = ({ text, link }: { text: string; link: string }) => {
    const source = sources.get(link) ?? "";
    return `- [${text}](/${pageOf(source)}): ${summaryOf(readFileSync(join(srcDir, source), "utf8"))}`;
  };
  for (const source of pages) {
    const copy = join(outDir, pageOf(source));
    mkdirSync(dirname(copy), { recursive: true });
    writeFileSync(
      copy,
      readFileSync(join(srcDir, source), "utf8").replace(/(?<=\]\()[^)\s]+(?=\))/g, (link) => siteLink(source, link, pages)),
    );
  }
  const sections = sidebar.map(({ text, items }) => `## ${text}\n\n${items.map(line).join("\n")}`);
  writeFileSync(join(outDir, "llms.txt"), `${[`# ${site.title}`, `> ${site.description}`, ...sections].join("\n\n")}\n`);
}
