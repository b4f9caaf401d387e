// Runs all cases in a worker on one request.
import { runCases } from "./cases.mjs";

// biome-ignore lint/style/noDefaultExport: workers export their handlers as default
export default {
  async fetch(request) {
    const origin = new URL(request.url).searchParams.get("origin");
    return Response.json(await runCases(origin));
  },
};
