import { ofetch } from "ofetch";
import { endpoints } from "../dist/endpoints-zod-4.mjs";
import { headers } from "./request.mjs";

const { path, output } = endpoints.listLivePositions;

export const read = async (base) => output.parse(await ofetch(`${base}${path}`, { headers, retry: 0 }));
