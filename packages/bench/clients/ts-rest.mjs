import { initClient, initContract } from "@ts-rest/core";
import { endpoints } from "../dist/endpoints-zod-3.mjs";
import { headers } from "./request.mjs";

const contract = initContract().router(
  Object.fromEntries(Object.entries(endpoints).map(([name, { output, ...route }]) => [name, { ...route, responses: { 200: output } }])),
);

export function open(base) {
  const client = initClient(contract, { baseUrl: base, baseHeaders: headers, validateResponse: true });
  return async () => (await client.listLivePositions()).body;
}
