// What breaks callers of the contract since the last release, which git has.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run, start } from "./steps.mjs";

const CONTRACT = "@fleetwire/core";
const DOCUMENT = "packages/core/openapi.json";

const majorOf = (version) => Number(version.split(".")[0]);

/** The version of the last release, if there was one. */
async function lastRelease(root) {
  const tags = await run(["git", "tag", "--list", `${CONTRACT}@*`, "--sort=-version:refname"], root);
  return tags === "" ? undefined : tags.split("\n")[0].slice(`${CONTRACT}@`.length);
}

/** Throws if the built copy's document breaks callers of the last release and its version does not say so. */
export async function refuseUndeclaredBreaks(root, copy, work, version) {
  const last = await lastRelease(root);
  if (last === undefined || majorOf(version) > majorOf(last)) return;
  const before = join(work, "last-openapi.json");
  await writeFile(before, await run(["git", "show", `${CONTRACT}@${last}:${DOCUMENT}`], root));
  const command = join(copy, "packages/contract-tests/dist/fleetwire-contract.js");
  const { code, output, stdout } = await start([process.execPath, command, "diff", before, join(copy, DOCUMENT)], work).ended;
  if (code === 0) return;
  throw new Error(code === 1 ? `${stdout}\nThis breaks callers of ${last}: add a changeset with "${CONTRACT}": major` : output);
}
