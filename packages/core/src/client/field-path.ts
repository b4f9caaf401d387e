/** The value at a path such as `job.jobNumber`. */
export function valueAt(path: string, output: unknown): unknown {
  return path.split(".").reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], output);
}

/** An object with a value at a path, and nothing else. */
export function objectWith(path: string, value: unknown): object {
  return path.split(".").reduceRight((inner: unknown, name) => ({ [name]: inner }), value) as object;
}
