// Writes openapi.json from the built contract; run it after changing operations or schemas.
import { writeFileSync } from "node:fs";

async function writeDocument() {
  const { openApiDocument } = await import("../dist/index.js");
  const { samples } = await import("../dist/samples/index.js");
  writeFileSync(new URL("../openapi.json", import.meta.url), `${JSON.stringify(openApiDocument({ samples }), null, 2)}\n`);
}

await writeDocument().catch((error) => {
  const unbuilt = error.code === "ERR_MODULE_NOT_FOUND" ? "; build core first: npx nx build @fleetwire/core" : "";
  process.stderr.write(`npm run openapi: ${error.message}${unbuilt}\n`);
  process.exitCode = 1;
});
