import { ofetch } from "ofetch";
import { outputs } from "../dist/outputs.mjs";
import { headers, PATH } from "./request.mjs";

export function open(base) {
  const fetchJson = ofetch.create({ baseURL: base, headers, retry: 0 });
  return async () => outputs.listLivePositions.parse(await fetchJson(PATH));
}
