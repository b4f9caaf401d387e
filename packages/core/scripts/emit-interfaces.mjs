// Writes the interfaces that describe the contract to people and editors; run after a change of operations or schemas.
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL("interfaces/render.ts", import.meta.url))],
  bundle: true,
  format: "esm",
  platform: "node",
  write: false,
});
const { renderInterfaces } = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);

const src = new URL("../src/", import.meta.url);
for (const [path, text] of Object.entries(renderInterfaces(src))) writeFileSync(new URL(path, src), text);
