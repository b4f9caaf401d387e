// Makes what the benchmarks compare with from our contract, in dist/: a server generated from the OpenAPI document, and the endpoints with the
// schemas of their responses as people would write them by hand, for zod 3 and 4.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { operations } from "@fleetwire/core";
import { transformSync } from "esbuild";
import { GENERATED } from "./server-programs.mjs";

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

/** Prints a response schema. Fields may be missing or null, and unknown ones are kept, as by our client. */
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
      return `z.object({${Object.entries(shape).map(([name, field]) => `${JSON.stringify(name)}:${sourceOf(field)}`)}}).passthrough()`;
    default:
      throw new TypeError(`Cannot print a schema of type ${type}`);
  }
}

mkdirSync(at("dist"), { recursive: true });
const endpoints = Object.entries(operations).map(([name, { method, path, output }]) => {
  const ofCustomer = JSON.stringify(path.replace("{customerId}", "c1"));
  return `  ${name}: { method: "${method}", path: ${ofCustomer}, output: ${sourceOf(output)} },\n`;
});
for (const [file, zod] of Object.entries({ "endpoints-zod-3": "zod", "endpoints-zod-4": "zod-4" })) {
  writeFileSync(at(`dist/${file}.mjs`), `import * as z from "${zod}";\nexport const endpoints = {\n${endpoints.join("")}};\n`);
}

const generator = at("node_modules/openapi-mcp-generator/bin/openapi-mcp-generator.js");
const generated = at("dist/generated-server");
execFileSync(process.execPath, [generator, "--input", at("../core/openapi.json"), "--output", generated, "--force"], { stdio: "ignore" });
const source = readFileSync(`${generated}/src/index.ts`, "utf8");
// In this package, so that it finds its dependencies.
writeFileSync(GENERATED, transformSync(source, { loader: "ts", format: "esm" }).code);
