import { metadataOf, type Operation, type OperationName, operations, requestFields } from "@fleetwire/core";
import { rowFields } from "@fleetwire/core/internal";
import { samples } from "@fleetwire/core/samples";
import { describe, expect, it } from "vitest";
import { catalogue } from "../src/index.ts";
import { type Reply, type Script, servedFleet, withItems } from "./served-fleet.ts";

type Json = Record<string, unknown>;

/** `listJobs` -> `list_jobs`. */
const toolNameOf = (operation: string) => operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const offered = Object.values<Operation>(operations).filter(({ tool }) => tool !== undefined);
const lists = offered.filter((operation) => operation.effect === "read" && (operation.undocumented || operation.tool?.rows));

/** The file to open if an operation and its tool do not match. */
const fileOf = ({ name }: Operation) => `packages/core/src/operations/${toolNameOf(name).replaceAll("_", "-")}.ts`;

const pagingFields = ({ paging }: Operation): string[] =>
  paging === undefined ? [] : paging.kind === "page" ? [paging.index, paging.size] : [paging.skip, paging.limit];

/** The sample input of an operation, as its tool takes it: tools sort themselves. */
function sampleArguments(operation: Operation): Json {
  const turned = pagingFields(operation);
  const { input } = samples[operation.name as OperationName];
  return Object.fromEntries(Object.entries(input as Json).filter(([field]) => !turned.includes(field) && field !== "sort"));
}

/** Responses to every operation: its sample, as the service may show it. */
const SAMPLES: Script = Object.fromEntries(
  Object.entries(samples).flatMap(([name, { output }]) => (name === "requestAccessToken" ? [] : [[name, (): Reply => ({ body: output })]])),
);

/** Columns that tools add to those of their operations. */
const ADDED: Record<string, string[]> = { queryTachoActivity: ["driver"] };

describe.each(lists.map((operation) => [toolNameOf(operation.name), operation] as const))(
  "%s, with the operation's sample",
  (name, operation) => {
    it("shows rows with its default columns, the time zone and the units", async () => {
      const { tools, text } = await servedFleet({ script: SAMPLES });
      const result = await tools.call(name, sampleArguments(operation));
      const [first] = withItems(result.structured as Json).items;
      const columns = result.text.split("\n")[1]?.split(" | ") ?? [];
      const { columns: chosen } = operation.tool?.rows ?? { columns };
      expect(columns.length, fileOf(operation)).toBeGreaterThan(1);
      expect([...chosen, ...(ADDED[operation.name] ?? [])], fileOf(operation)).toEqual(expect.arrayContaining(columns));
      for (const column of columns) expect(first, fileOf(operation)).toHaveProperty([column]);
      const fields = Object.entries(rowFields(operation) ?? {});
      const wanted = fields.length > 0 && { fields: fields.map(([field]) => field) };
      const shown = await text(name, { ...sampleArguments(operation), ...wanted });
      const hasInstants = fields.some(([, schema]) => metadataOf(schema)?.holds === "instant");
      expect(shown.includes("Times in UTC, now "), fileOf(operation)).toBe(hasInstants);
      for (const [field, schema] of fields) {
        const { unit } = metadataOf(schema) ?? {};
        if (unit) expect(shown, fileOf(operation)).toContain(`${field} ${unit}`);
      }
    });
  },
);

it.each(lists.map((operation) => [operation.name, operation] as const))(
  "the arguments open to a model include every offered field of %s",
  (name, operation) => {
    const tool = catalogue.find((one) => one.name === toolNameOf(name));
    for (const field of operation.tool?.inputs ?? Object.keys(requestFields(operation))) {
      if (pagingFields(operation).includes(field)) continue;
      const checked = tool?.inputSchema["~standard"].validate({ [field]: "x" });
      expect(JSON.stringify(checked), fileOf(operation)).not.toContain("is not a field of");
    }
  },
);
