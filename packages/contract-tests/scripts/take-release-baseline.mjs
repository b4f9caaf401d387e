// Run at a release: later versions of the contract are compared with the released one.
import { cpSync, rmSync } from "node:fs";

const packages = new URL("../../", import.meta.url);
const baseline = new URL("../baselines/", import.meta.url);

rmSync(baseline, { recursive: true, force: true });
for (const part of ["core/openapi.json", "core/api.md", "tools/api.md", "mcp-server/snapshots/tools"])
  cpSync(new URL(part, packages), new URL(part, baseline), { recursive: true });
