/** Whether a value is an object, but not null or an array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the value at a path: its keys, or text such as `job.jobNumber`. */
export const valueAt = (path: string | readonly PropertyKey[], output: unknown): unknown =>
  (typeof path === "string" ? path.split(".") : path).reduce(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    output,
  );

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
