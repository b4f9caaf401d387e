const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/** Returns the path of an argument named `__proto__`, such as `query.__proto__`. JSON allows this name, but schemas drop it silently. */
export function prototypeKeyIn(value: unknown): string | undefined {
  const open = isObject(value) ? [{ value, path: "" }] : [];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (Object.hasOwn(at.value, "__proto__")) return `${at.path}__proto__`;
    for (const [key, inner] of Object.entries(at.value)) if (isObject(inner)) open.push({ value: inner, path: `${at.path}${key}.` });
  }
  return undefined;
}
