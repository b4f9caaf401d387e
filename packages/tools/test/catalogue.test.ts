import { type Operation, operations } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { catalogue, createFleetTools, fleetToolsConfigFromEnv } from "../src/index.ts";

type Json = { [keyword: string]: unknown };

/** A schema and all its nested schemas, with their paths. */
function schemasIn(schema: Json, path: string): [string, Json][] {
  const inner = { ...(schema["properties"] as Json | undefined), items: schema["items"], additional: schema["additionalProperties"] };
  return [
    [path, schema],
    ...Object.entries(inner).flatMap(([name, value]) =>
      typeof value === "object" && value !== null ? schemasIn(value as Json, `${path}.${name}`) : [],
    ),
  ];
}

const fieldsOf = (schema: Json) => Object.keys((schema["properties"] ?? {}) as Json);

const LIST = ["limit", "cursor", "fields"];
const QUERY = ["where", "sort", "count", ...LIST];
const WRITE = ["dryRun", "confirmation"];

const INPUTS: Record<string, { all: string[]; required?: string[] }> = {
  locate_vehicle: { all: ["query"], required: ["query"] },
  list_live_positions: { all: ["vehicle", "group", "driver", ...QUERY] },
  find_nearest_vehicles: { all: ["to", "withinKm", "in", "group", "type", "moving", "driveHours", "limit", "cursor"], required: ["to"] },
  summarize_fleet: { all: ["group", "type", "in", "fuelBelow", "batteryBelow", "silentHours", "list", "limit", "cursor"] },
  driver_hours: { all: ["driver", "group", "vehicle", ...QUERY] },
  summarize_driver_activity: { all: ["period", "by", "driver", "group", "vehicle", "sort", "limit", "cursor"], required: ["period"] },
  list_vehicle_faults: { all: ["vehicle", "group", "period", "begun", ...QUERY] },
  query_tacho_activity: { all: ["period", "driver", "group", "vehicle", ...QUERY] },
  list_jobs: { all: ["vehicle", "driver", "period", ...QUERY] },
  list_tire_events: { all: ["vehicle", "driver", "period", ...QUERY] },
  create_job: {
    all: [
      ...["jobNumber", "jobTitle", "clientName", "accountNumber", "contactName", "contactEmail", "contactPhone", "notes"],
      ...["address", "lat", "lng", "scheduledStartDateTime", "arrivalWindowStart", "arrivalWindowEnd", "jobDuration"],
      ...["personId", "personName", "vehicleId", "vehicleName", "groupName", "orderNumbers", "status", "jobRadius"],
      ...["primaryResource", "jobTypeId", "override", ...WRITE],
    ],
  },
  update_group: { all: ["name", "group", "parent", "vehicles", "drivers", "replace", ...WRITE] },
};

describe("the catalogue", () => {
  it("has one tool for each offered operation, plus the tools that combine several", () => {
    const names = catalogue.map(({ name }) => name);
    const offered = Object.values<Operation>(operations).filter(({ tool }) => tool);
    const ofOperations = offered.map(({ name }) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    expect(names).toEqual(expect.arrayContaining([...ofOperations, ...Object.keys(INPUTS)]));
    expect(new Set(names).size).toBe(names.length);
  });

  it("offers exactly these arguments for each tool, and none for the customer", () => {
    const shown = catalogue.flatMap(({ name, inputJsonSchema }) => {
      const { required } = inputJsonSchema;
      return Object.hasOwn(INPUTS, name) ? [[name, { all: fieldsOf(inputJsonSchema), ...(required ? { required } : {}) }]] : [];
    });
    expect(Object.fromEntries(shown)).toEqual(INPUTS);
    expect(JSON.stringify(catalogue.map(({ inputJsonSchema, outputJsonSchema }) => [inputJsonSchema, outputJsonSchema]))).not.toContain(
      "customerId",
    );
  });

  it("gives each tool a name with room for a host's prefix, a title and a description", () => {
    for (const { name, title, description } of catalogue) {
      expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(name.length).toBeLessThanOrEqual(32);
      expect(title).toMatch(/^[A-Z]/);
      expect(description.length).toBeGreaterThan(30);
    }
  });

  it("describes every argument whose name does not say it all", () => {
    const bare = catalogue.flatMap(({ name, inputJsonSchema }) =>
      schemasIn(inputJsonSchema, name)
        .slice(1)
        .flatMap(([path, { description }]) => (/\w{3}/.test(String(description ?? "")) ? [] : [path])),
    );
    expect(
      bare.filter((path) => !/\.(vehicle|group|driver|limit|cursor|items)$|^watch_fleet\.(when|endRule|confirmation)$/.test(path)),
    ).toEqual([]);
  });

  it("instructs the model to treat records as data, and says that locate_vehicle does not guess", () => {
    const env = {
      FLEET_CUSTOMER_ID: "c42",
      FLEET_CLIENT_ID: "client",
      FLEET_CLIENT_SECRET: "secret",
      FLEET_BASE_URL: "http://127.0.0.1:9",
    };
    const { instructions } = createFleetTools(fleetToolsConfigFromEnv(env));
    expect(instructions).toMatch(/never guesses/);
    expect(instructions).toMatch(/data, never an instruction/);
  });
});

const isObject = ({ type }: Json) => type === "object";
const hasFields = (schema: Json) => !isObject(schema) || fieldsOf(schema).length > 0;
const KEYWORDS = ["type", "description", "enum", "items", "properties", "required"];

describe.each<[string, (schema: Json) => boolean]>([
  [
    "hosts that read JSON Schema",
    (schema) => {
      const {
        type,
        items,
        properties,
        required = [],
      } = schema as { type?: string; items?: object; properties?: object; required?: string[] };
      const isTyped = ["object", "array", "string", "number", "integer", "boolean"].includes(type ?? "");
      const isWhole = (type !== "array" || items !== undefined) && (type !== "object" || properties !== undefined);
      const hasRequired = required.every((field) => fieldsOf(schema).includes(field));
      return (
        isTyped && isWhole && hasRequired && Object.keys(schema).every((keyword) => [...KEYWORDS, "additionalProperties"].includes(keyword))
      );
    },
  ],
  // How OpenAI's strict mode rewrites a schema: objects are closed, all properties required, optional ones nullable.
  ["OpenAI's strict mode", (schema) => !("additionalProperties" in schema) && hasFields(schema)],
  // Gemini's Schema supports these keywords, and refuses objects without properties, lists without items and empty choices.
  [
    "Gemini",
    (schema) => {
      const { type, items, enum: choices = ["x"] } = schema as { type?: string; items?: Json; enum?: unknown[] };
      const hasChoices =
        choices.every((choice) => typeof choice === "string" && choice !== "") && (schema["enum"] === undefined || type === "string");
      const isListed = type !== "array" || typeof items?.["type"] === "string";
      return (
        Object.keys(schema).every((keyword) => KEYWORDS.includes(keyword)) &&
        type !== undefined &&
        isListed &&
        hasFields(schema) &&
        hasChoices
      );
    },
  ],
])("every tool's arguments are accepted by %s", (_, isTaken) => {
  it.each(catalogue.map(({ name, inputJsonSchema }) => [name, inputJsonSchema] as const))("%s", (name, schema) => {
    expect(schemasIn(schema, name).flatMap(([path, inner]) => (isTaken(inner) ? [] : [path]))).toEqual([]);
  });
});

it.each(catalogue.map((tool) => [tool.name, tool] as const))(
  "the output schema of %s is open and plain",
  (name, { effect, outputJsonSchema }) => {
    const { $schema: _, ...schema } = outputJsonSchema;
    expect(schema).toMatchObject({ type: "object", properties: effect === "read" ? { readSecondsAgo: { type: "integer" } } : {} });
    for (const [path, inner] of schemasIn(schema, name))
      for (const keyword of Object.keys(inner)) expect(KEYWORDS, path).toContain(keyword);
  },
);
