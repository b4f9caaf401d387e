import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** The page of the map, as built by packages/map. The path is the same from src/mcp, dist/mcp and dist/bundle. */
const page = () => new URL("../../dist/map-app.html", import.meta.url);

/** Whether the page exists: a worker has no files, and no URL of its own. */
export function hasMapPage(): boolean {
  try {
    return existsSync(page());
  } catch {
    return false;
  }
}

export const readMapPage = (): Promise<string> => readFile(page(), "utf8");
