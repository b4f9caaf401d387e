import { readFileSync } from "node:fs";

export const publishedText = readFileSync(new URL("../../../packages/core/openapi.json", import.meta.url), "utf8");

// biome-ignore lint/suspicious/noExplicitAny: each test case changes another part of the document
export type OpenApi = any;

/** The published document with a change applied. */
export function changed(change: (document: OpenApi) => void): OpenApi {
  const document = JSON.parse(publishedText);
  change(document);
  return document;
}

export const POSITIONS = "/public/v1/customer/{customerId}/tracking/live";
