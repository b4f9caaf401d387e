/** Returns the value at a path such as `job.jobNumber`. */
export function valueAt(path: string, output: unknown): unknown {
  return path.split(".").reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], output);
}

/** Creates an object that contains only the given value, at the given path. */
export function objectWith(path: string, value: unknown): object {
  return path.split(".").reduceRight((inner: unknown, name) => ({ [name]: inner }), value) as object;
}
