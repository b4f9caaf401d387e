// Prints the response schemas of our contract as people would write them by hand, into dist/, for the client that is compared with.
import { mkdirSync, writeFileSync } from "node:fs";
import { operations } from "@fleetwire/core";

/** Fields may be missing or null, and unknown ones are kept, as by our client. */
function sourceOf(schema) {
  const { type, innerType, entries, element, options, shape, check } = schema._zod.def;
  switch (type) {
    case "optional":
      return `${sourceOf(innerType)}.nullish()`;
    case "string":
    case "boolean":
    case "unknown":
      return `z.${type}()`;
    case "number":
      return check === "number_format" ? "z.number().int()" : "z.number()";
    case "enum":
      return `z.enum(${JSON.stringify(Object.values(entries))})`;
    case "array":
      return `z.array(${sourceOf(element)})`;
    case "union":
      return `z.union([${options.map(sourceOf)}])`;
    case "object":
      return `z.looseObject({${Object.entries(shape).map(([name, field]) => `${JSON.stringify(name)}:${sourceOf(field)}`)}})`;
    default:
      throw new TypeError(`Cannot print a schema of type ${type}`);
  }
}

const folder = new URL("dist/", import.meta.url);
mkdirSync(folder, { recursive: true });
const outputs = Object.entries(operations).map(([name, { output }]) => `  ${name}: ${sourceOf(output)},\n`);
writeFileSync(new URL("outputs.mjs", folder), `import * as z from "zod";\nexport const outputs = {\n${outputs.join("")}};\n`);
