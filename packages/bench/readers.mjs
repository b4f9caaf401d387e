// Ways to read live positions: our client, handwritten code and other typed clients. Each is a module of its own, to be bundled and imported alone.
import { fileURLToPath } from "node:url";
import * as bare from "./clients/bare.mjs";
import { open, openUnchecked } from "./clients/fleetwire.mjs";

const BARE = "bare fetch, JSON.parse";

/** The module of each client, and whether it validates responses. */
export const clients = {
  [BARE]: { file: "bare" },
  fleetwire: { file: "fleetwire", validates: true },
  ofetch: { file: "ofetch" },
  "openapi-fetch": { file: "openapi-fetch" },
  "ofetch, zod 4": { file: "ofetch-zod", validates: true },
  "oRPC, zod 4": { file: "orpc", validates: true },
  "ts-rest, zod 3": { file: "ts-rest", validates: true },
  "zodios, zod 3": { file: "zodios", validates: true },
};

export const pathOf = ({ file }) => fileURLToPath(new URL(`clients/${file}.mjs`, import.meta.url));

const peers = await Promise.all(
  Object.entries(clients)
    .filter(([, { file }]) => file !== "bare" && file !== "fleetwire")
    .map(async ([name, client]) => [name, { ...(await import(pathOf(client))), peer: true }]),
);

/** Each opens a client, and returns a function that reads one list. Clients that reject a response because of their schema are measured until they do. */
export const readers = {
  [BARE]: bare,
  "the same again (control)": bare,
  "fleetwire, drift reported": { open },
  "fleetwire, unchecked (control)": { open: openUnchecked },
  ...Object.fromEntries(peers),
};
