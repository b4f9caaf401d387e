import { headers, PATH } from "./request.mjs";

export async function read(base) {
  const response = await fetch(`${base}${PATH}`, { headers });
  return JSON.parse(await response.text());
}
