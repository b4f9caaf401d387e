import { inject } from "vitest";
import { install } from "./npx-installations.ts";

/** The first run downloads packages from the npm registry; later ones use npm's cache. */
export const INSTALL_TIMEOUT = 300_000;

/** The `node_modules` with the pinned packages, outside the workspace. */
export async function installPackages(packages: readonly string[]): Promise<string> {
  const url = inject("installations");
  if (url === undefined) return install(packages);
  const response = await fetch(url, { method: "POST", body: JSON.stringify(packages) });
  const text = await response.text();
  if (response.ok) return text;
  throw new Error(text);
}

const NODE_24 = ["node@24.21.0"];

/** A newer Node, for hosts that need it. */
export const node24 = async (): Promise<string> => `${await installPackages(NODE_24)}/.bin/node`;
