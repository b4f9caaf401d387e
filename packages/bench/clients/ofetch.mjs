import { ofetch } from "ofetch";
import { headers, PATH } from "./request.mjs";

export function open(base) {
  const fetchJson = ofetch.create({ baseURL: base, headers, retry: 0 });
  return () => fetchJson(PATH);
}
