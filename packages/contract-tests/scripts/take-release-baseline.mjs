// Run at a release: later changes to the OpenAPI document are compared with the released one.
import { copyFileSync } from "node:fs";

copyFileSync(new URL("../../core/openapi.json", import.meta.url), new URL("../baselines/openapi.json", import.meta.url));
