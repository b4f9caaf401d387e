// The smallest server with fastmcp, over stdio: the same tool as minimal-server.mjs.
import { FastMCP } from "fastmcp";
import * as z from "zod-4";
import { RESULT } from "./constant-result.mjs";

const server = new FastMCP({ name: "minimal", version: "1.0.0" });
server.addTool({
  name: "locate_vehicle",
  description: "Where a vehicle is",
  parameters: z.object({ query: z.string() }),
  execute: async () => RESULT,
});
await server.start({ transportType: "stdio" });
