import createClient from "openapi-fetch";
import { headers, PATH } from "./request.mjs";

export const read = async (base) => (await createClient({ baseUrl: base, headers }).GET(PATH)).data;
