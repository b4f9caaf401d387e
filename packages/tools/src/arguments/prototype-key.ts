const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Where an argument is named `__proto__`, which JSON allows and schemas leave out in silence; the path to it, as in `query.__proto__`. */
export function prototypeKeyIn(value: unknown): string | undefined {
  const open: { value: unknown; path: string }[] = [{ value, path: "" }];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (!isObject(at.value)) continue;
    if (Object.hasOwn(at.value, "__proto__")) return `${at.path}__proto__`;
    for (const [key, inner] of Object.entries(at.value)) if (isObject(inner)) open.push({ value: inner, path: `${at.path}${key}.` });
  }
  return undefined;
}
