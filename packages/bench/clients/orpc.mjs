import { createORPCClient } from "@orpc/client";
import { oc } from "@orpc/contract";
import { ResponseValidationPlugin } from "@orpc/contract/plugins";
import { OpenAPILink } from "@orpc/openapi-client/fetch";
import { endpoints } from "../dist/endpoints-zod-4.mjs";
import { headers } from "./request.mjs";

const contract = Object.fromEntries(
  Object.entries(endpoints).map(([name, { method, path, output }]) => [name, oc.route({ method, path }).output(output)]),
);

export function open(base) {
  const link = new OpenAPILink(contract, { url: base, headers, plugins: [new ResponseValidationPlugin(contract)] });
  const client = createORPCClient(link);
  return () => client.listLivePositions();
}
