import { headers, PATH } from "./request.mjs";

export const open = (base) => async () => {
  const response = await fetch(`${base}${PATH}`, { headers });
  return JSON.parse(await response.text());
};
