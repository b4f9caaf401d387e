// What breaks callers of the contract since the last release, which git has.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "./steps.mjs";

const CONTRACT = "@fleetwire/core";
const DOCUMENT = "packages/core/openapi.json";

const majorOf = (version) => Number(version.split(".")[0]);

/** Throws if the built copy's document breaks callers of the last release and its version does not say so. */
export async function refuseUndeclaredBreaks(root, copy, work, version) {
  const [tag] = (await run(["git", "tag", "--list", `${CONTRACT}@*`, "--sort=-version:refname"], root)).split("\n");
  const last = tag.slice(`${CONTRACT}@`.length);
  if (last === "" || majorOf(version) > majorOf(last)) return;
  const before = join(work, "last-openapi.json");
  await writeFile(before, await run(["git", "show", `${tag}:${DOCUMENT}`], root));
  const command = join(copy, "packages/contract-tests/dist/fleetwire-contract.js");
  await run([process.execPath, command, "diff", before, join(copy, DOCUMENT)], work).catch((error) => {
    if (error.code !== 1) throw error;
    throw new Error(`${error.stdout}\nThis breaks callers of ${last}: add a changeset with "${CONTRACT}": major`);
  });
}
