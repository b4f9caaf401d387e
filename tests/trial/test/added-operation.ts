import { expect } from "vitest";
import { writeByHand, writeRows } from "./overlay.ts";
import { recipe } from "./recipe.ts";
import { TreeCopy } from "./tree-copy.ts";

/** Runs a command in a copy and expects it to succeed. */
export function runs(copy: TreeCopy, command: string, folder = ""): string {
  const { status, stdout, stderr } = copy.run(command, folder);
  expect(status, `${command}\n${stdout}${stderr}`).toBe(0);
  return `${stdout}${stderr}`;
}

function addTrips(copy: TreeCopy): void {
  const [first = [], second = [], third = []] = recipe();
  writeByHand(copy);
  for (const command of first) runs(copy, command);
  // A draft does not count until somebody has compared it with the description.
  const early = copy.run("npm run task -- draft listTrips --reviewed");
  expect(early.stderr).toContain("npm run task -- draft: table/list-trips.json: 24 rows are drafts from core");
  expect(early.status).toBe(1);
  writeRows(copy);
  for (const command of [...second, ...third]) runs(copy, command);
}

/** A copy of the repository with the operation added by the recipe in CONTRIBUTING. */
export function withTrips(): TreeCopy {
  const copy = new TreeCopy();
  try {
    addTrips(copy);
  } catch (error) {
    copy.remove();
    throw error;
  }
  return copy;
}
