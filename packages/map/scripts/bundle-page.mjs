import { build } from "esbuild";

/**
 * Bundles a script with its styles into one HTML file that loads nothing else. `html` is the page around them: `<!-- styles -->` and `<!-- script -->`
 * are replaced.
 */
export async function bundlePage({ entry, html, define = {} }) {
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "iife",
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
  return html.replace("<!-- styles -->", () => `<style>${styles}</style>`).replace("<!-- script -->", () => `<script>${script}</script>`);
}
