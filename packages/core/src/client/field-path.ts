/** What stands at a path into an output, its names joined by full stops, as operations write them. */
export function valueAt(path: string, output: unknown): unknown {
  return path.split(".").reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], output);
}

/** An object that has a value at a path, and nothing else. */
export function objectWith(path: string, value: unknown): object {
  return path.split(".").reduceRight((inner: unknown, name) => ({ [name]: inner }), value) as object;
}
