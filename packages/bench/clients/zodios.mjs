import { Zodios } from "@zodios/core";
import { endpoints } from "../dist/endpoints-zod-3.mjs";
import { headers } from "./request.mjs";

const api = Object.entries(endpoints).map(([alias, { method, path, output }]) => ({
  alias,
  method: method.toLowerCase(),
  path,
  response: output,
}));

export function open(base) {
  const client = new Zodios(base, api);
  return () => client.listLivePositions({ headers });
}
