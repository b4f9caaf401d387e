/** Whether a value is an object, but not null or an array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the value at a path such as `job.jobNumber`. */
export function valueAt(path: string, output: unknown): unknown {
  return path.split(".").reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], output);
}

/** Sets the value at a path, creating the objects on the way. Does nothing if one of them is something else. */
export function putAt(path: string, output: unknown, value: unknown): void {
  const names = path.split(".");
  const last = names.pop() as string;
  let target = output;
  for (const name of names) {
    if (!isRecord(target)) return;
    target = target[name] ??= {};
  }
  if (isRecord(target)) target[last] = value;
}

/** Creates an object that contains only the given value, at the given path. */
export function objectWith(path: string, value: unknown): object {
  return path.split(".").reduceRight((inner: unknown, name) => ({ [name]: inner }), value) as object;
}
