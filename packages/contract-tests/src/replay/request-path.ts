import { type Operation, operations } from "@fleetwire/core";

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * The decoded values of the placeholders in a template such as `/customer/{customerId}/group`, or undefined if the end of the request's path does not
 * match it. A server's prefix may come first.
 */
export function pathValuesOf(template: string, path: string): Record<string, string> | undefined {
  const wanted = template.split("/").slice(1);
  const found = path.split("/").slice(-wanted.length);
  const values: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const segment = found[at] ?? "";
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? [];
    if (name === undefined ? part !== segment : segment === "") return undefined;
    if (name !== undefined) values[name] = decoded(segment);
  }
  return values;
}

const placeholdersIn = ({ path }: Operation) => path.split("{").length;

/** The operation for a request. A literal segment takes precedence over a placeholder. */
export function operationAt(
  method: string,
  path: string,
  all: readonly Operation[] = Object.values<Operation>(operations),
): Operation | undefined {
  return all
    .filter((operation) => operation.method === method && pathValuesOf(operation.path, path) !== undefined)
    .toSorted((a, b) => placeholdersIn(a) - placeholdersIn(b))[0];
}
