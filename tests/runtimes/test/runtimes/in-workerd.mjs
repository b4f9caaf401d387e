// Runs the cases in a worker, one request for all of them.
import { runCases } from "./cases.mjs";

// biome-ignore lint/style/noDefaultExport: the form in which a worker exports its handlers
export default {
  async fetch(request) {
    const origin = new URL(request.url).searchParams.get("origin");
    return Response.json(await runCases(origin));
  },
};
