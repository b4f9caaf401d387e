import { ofetch } from "ofetch";
import { endpoints } from "../dist/endpoints-zod-4.mjs";
import { headers } from "./request.mjs";

const { path, output } = endpoints.listLivePositions;

export function open(base) {
  const fetchJson = ofetch.create({ baseURL: base, headers, retry: 0 });
  return async () => output.parse(await fetchJson(path));
}
