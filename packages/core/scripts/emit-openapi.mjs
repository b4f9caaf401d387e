// Writes openapi.json from the built contract; run after a change of operations or schemas.
import { writeFileSync } from "node:fs";
import { openApiDocument } from "../dist/index.js";

writeFileSync(new URL("../openapi.json", import.meta.url), `${JSON.stringify(openApiDocument(), null, 2)}\n`);
