// Run at a release: from then on a change of the OpenAPI document is measured against what was released.
import { copyFileSync } from "node:fs";

copyFileSync(new URL("../../core/openapi.json", import.meta.url), new URL("../baselines/openapi.json", import.meta.url));
