import type { GeneratedFiles } from "../../../scripts/generated-files.ts";
import { renderInterfaces } from "./interfaces/render.ts";

/** Generates the TypeScript interfaces that editors show. */
export async function generate(): Promise<GeneratedFiles> {
  const rendered = renderInterfaces(new URL("../src/", import.meta.url));
  return Object.fromEntries(Object.entries(rendered).map(([path, text]) => [`packages/core/src/${path}`, text]));
}
