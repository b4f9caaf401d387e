import { ofetch } from "ofetch";
import { headers, PATH } from "./request.mjs";

export const read = (base) => ofetch(`${base}${PATH}`, { headers, retry: 0 });
