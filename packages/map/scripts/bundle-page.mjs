import { resolve } from "node:path";
import { build } from "esbuild";

/**
 * Bundles a script with its styles into one HTML file that loads nothing else. `html` is the page around them: `<!-- styles -->` and `<!-- script -->`
 * are replaced.
 */
export const bundlePage = async (options) => (await bundlePageAndSources(options)).page;

/** Also returns the paths of all modules in the page. */
export async function bundlePageAndSources({ entry, html, define = {} }) {
  const { outputFiles, metafile } = await build({
    metafile: true,
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "esm",
    target: ["es2022", "chrome111", "firefox113", "safari16.4"],
    conditions: ["fleetwire-source"],
    outdir: "out",
    write: false,
    charset: "utf8",
    legalComments: "none",
    // Leaflet's own markers and layer switch, which are not used.
    loader: { ".png": "empty" },
    define,
  });
  const textOf = (extension) => outputFiles.find(({ path }) => path.endsWith(extension))?.text.trim() ?? "";
  const [script, styles] = [textOf(".js").replace(/<\/(?=script)/gi, "<\\/"), textOf(".css")];
  const page = html
    .replace("<!-- styles -->", () => `<style>${styles}</style>`)
    .replace("<!-- script -->", () => `<script type="module">${script}</script>`);
  return { page, sources: Object.keys(metafile.inputs).map((path) => resolve(path)) };
}
