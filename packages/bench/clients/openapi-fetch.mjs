import createClient from "openapi-fetch";
import { headers, PATH } from "./request.mjs";

export function open(base) {
  const client = createClient({ baseUrl: base, headers });
  return async () => (await client.GET(PATH)).data;
}
