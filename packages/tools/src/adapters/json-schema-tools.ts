import type { FleetTools } from "../create-fleet-tools.ts";
import type { FleetTool, JsonSchema } from "../model/fleet-tool.ts";
import { parsedArguments, withoutNulls } from "./adapted-call.ts";

/** A tool in the format of model providers' function-calling interfaces. */
export interface JsonSchemaTool {
  type: "function";
  name: string;
  description: string;
  parameters: JsonSchema;
  strict: boolean;
}

type Properties = Readonly<Record<string, JsonSchema>>;

const isFlat = ({ type, items }: JsonSchema): boolean => type !== "object" && (items === undefined || isFlat(items as JsonSchema));

const nullable = ({ type, enum: values, ...rest }: JsonSchema): JsonSchema => ({
  ...rest,
  type: [type, "null"],
  ...(Array.isArray(values) && { enum: [...values, null] }),
});

/**
 * Returns a copy of a tool's parameters, in the strict form if asked for, in which every argument is required and null means absent. Strict
 * schemas cannot express an argument that is an object with arbitrary fields: its tool keeps the usual form.
 */
export function parametersOf({ inputJsonSchema }: FleetTool, strict: boolean): Pick<JsonSchemaTool, "parameters" | "strict"> {
  const strictForm = strict ? strictParameters(inputJsonSchema) : undefined;
  return { parameters: structuredClone(strictForm ?? inputJsonSchema), strict: strictForm !== undefined };
}

function strictParameters(parameters: JsonSchema): JsonSchema | undefined {
  const { properties = {}, required = [] } = parameters as { properties?: Properties; required?: readonly string[] };
  const names = Object.keys(properties);
  if (names.length === 0 || !Object.values(properties).every(isFlat)) return undefined;
  const strict = Object.entries(properties).map(([name, schema]) => [name, required.includes(name) ? schema : nullable(schema)]);
  return { ...parameters, properties: Object.fromEntries(strict), required: names, additionalProperties: false };
}

/**
 * Returns the tools as plain JSON for any function-calling interface, and a function that runs a model's calls.
 *
 * @param options.strict Uses the strict form, in which every argument is required and null means absent, so that providers that support
 * it enforce valid arguments. @default false
 *
 * @example
 * ```ts
 * const { tools, call } = toJsonSchemaTools(fleet, { strict: true });
 * const { text } = await call("locate_vehicle", '{"query":"truck 12"}');
 * ```
 */
export function toJsonSchemaTools(
  fleet: Pick<FleetTools, "tools" | "call">,
  { strict = false }: { strict?: boolean } = {},
): {
  tools: JsonSchemaTool[];
  /** Runs a call with the arguments as the model wrote them: an object, or JSON text. Never throws. */
  call: FleetTools["call"];
} {
  const tools = fleet.tools.map((tool): JsonSchemaTool => {
    const { name, description } = tool;
    return { type: "function", name, description, ...parametersOf(tool, strict) };
  });
  return { tools, call: (name, args, options) => fleet.call(name, withoutNulls(parsedArguments(args)), options) };
}
