import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { runProgram } from "../src/packed-package.ts";

const site = fileURLToPath(new URL("../../../site/", import.meta.url));
const dist = join(site, "dist");

let pages: string[] = [];
const read = (page: string) => readFileSync(join(dist, page), "utf8");

const anchors = new Map<string, ReadonlySet<string>>();

function anchorsOf(page: string): ReadonlySet<string> {
  const found = anchors.get(page) ?? new Set([...read(page).matchAll(/\sid="([^"]+)"/g)].map(([, id = ""]) => id));
  anchors.set(page, found);
  return found;
}

/** The file that a static host serves for an address. */
const fileOf = (path: string) =>
  [`${path}.html`, posix.join(path, "index.html"), path].find((file) => existsSync(join(dist, file)) && /\.\w+$/.test(file));

// VitePress fails for a link to a page that does not exist, pages.ts for one to a file of the repository, and reference.ts for an export without a comment.
beforeAll(async () => {
  await runProgram(process.execPath, [join(site, "node_modules/vitepress/bin/vitepress.js"), "build", "."], site, 280);
  pages = readdirSync(dist, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".html") && file !== "404.html");
}, 300_000);

describe("the site", () => {
  it("has a page for every document and a place for every link", () => {
    expect(pages.length).toBeGreaterThan(25);
    const dead = pages.flatMap((page) => {
      const links = [...read(page).matchAll(/<a [^>]*?href="(\/[^"]*|#[^"]*)"/g)].map(([, href = ""]) => new URL(href, `file:///${page}`));
      return links
        .filter(({ pathname, hash }) => {
          const file = pathname === `/${page}` ? page : fileOf(decodeURI(pathname));
          return file === undefined || (hash !== "" && !anchorsOf(file).has(decodeURIComponent(hash.slice(1))));
        })
        .map(({ pathname, hash }) => `${page}: ${pathname}${hash}`);
    });
    expect(dead).toEqual([]);
  });

  it("links code that names an export to the reference", () => {
    expect(read("operations/list-live-positions.html")).toContain(
      '<a href="/reference/client#listlivepositionsinput"><code>ListLivePositionsInput</code>',
    );
    expect(read("client.html")).toContain('<a href="/reference/client#fleeterror"><code>FleetError</code>');
  });

  it("lists every page in its sidebar and in llms.txt, with what it is about", () => {
    const lines = [...read("llms.txt").matchAll(/^- \[(.+)\]\(\/(.+)\): (.+)$/gm)];
    expect(
      lines
        .map(([, , file = ""]) => file.replace(/\.md$/, ".html"))
        .concat("index.html")
        .sort(),
    ).toEqual(pages.sort());
    expect(lines.filter(([, , file = ""]) => !existsSync(join(dist, file)))).toEqual([]);
  });
});
