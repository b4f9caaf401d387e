import { defineOperation, fieldMetadata, Identifier, type Operation, operations } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { catalogue, createFleetTools, type FleetToolsConfig } from "../src/index.ts";
import { type Asked, type CannedService, cannedService, NOW, rowsOf, toolsOver } from "./canned-service.ts";

const DRIVER = "Zoe Zebra-Quist";
const ADDRESS = "Quai Perrache 10";

const listTours = defineOperation({
  name: "listTours",
  summary: "List the tours of a vehicle",
  source: "our own notes",
  method: "GET",
  path: "/public/v1/customer/{customerId}/vehicle/{vehicleId}/tours",
  servers: ["base"],
  auth: ["basic"],
  params: { vehicleId: Identifier },
  query: { pageIndex: z.int().min(0).optional(), pageSize: z.int().min(1).max(50).optional() },
  output: z.object({
    items: z.array(
      z.object({
        tourId: z.string().optional(),
        driverName: z.string().register(fieldMetadata, { holds: "person" }).optional(),
        endAddress: z.string().register(fieldMetadata, { holds: "place", withheld: true }).optional(),
        // Has no metadata, so it may hold anything.
        note: z.string().optional(),
        privacy: z.boolean().register(fieldMetadata, { holds: "flag", guard: true }).optional(),
      }),
    ),
    pagination: z.object({ totalItems: z.int().optional(), totalPages: z.int().optional() }),
  }),
  effect: "read",
  paging: {
    kind: "page",
    index: "pageIndex",
    size: "pageSize",
    items: "items",
    totalItems: "pagination.totalItems",
    totalPages: "pagination.totalPages",
  },
  tool: {
    title: "List tours",
    description: "Tours of a vehicle.",
    toolset: "positions",
    names: { vehicleId: "vehicle" },
    rows: { path: "items", noun: ["tour", "tours"], columns: ["tourId", "driverName", "endAddress", "note"] },
  },
});

const TOURS = Array.from({ length: 5 }, (_, at) => ({
  tourId: `t${at}`,
  driverName: DRIVER,
  endAddress: ADDRESS,
  note: DRIVER,
  privacy: at === 1,
}));

const livePositions: Operation = operations.listLivePositions;

/** A service with five tours of truck 12. */
const served = () =>
  cannedService(
    ({ operation, fields }: Asked) => {
      if (operation === "listLivePositions") return [{ assetId: "v12", assetName: "Truck 12" }];
      const [size, index] = [Number(fields["pageSize"]), Number(fields["pageIndex"])];
      const pagination = { totalItems: TOURS.length, totalPages: Math.ceil(TOURS.length / size) };
      return { items: TOURS.slice(index * size, (index + 1) * size), pagination };
    },
    [listTours, livePositions],
  );

const own = (service: CannedService, config: Partial<FleetToolsConfig> = {}, added: readonly Operation[] = [listTours]) =>
  createFleetTools({ ...toolsOver(service).config, retries: 0, ...config }, { operations: added, now: () => NOW });

const recordOf = ({ structured }: { structured: object }) => structured as Record<string, unknown>;

const refused = (change: Partial<Operation>) => {
  try {
    own({ origin: "http://127.0.0.1:9", asked: [] }, {}, [{ ...listTours, ...change }]);
    return "not refused";
  } catch (error) {
    return String(error);
  }
};

describe("a custom operation passed to createFleetTools", () => {
  it("becomes the last tool of its toolset, subject to FLEET_TOOLS and FLEET_TOOLSETS like any other", async () => {
    const service = await served();
    const names = (config = {}) => own(service, config).tools.map(({ name }) => name);
    const standard = catalogue.map(({ name }) => name);
    expect(names()).toEqual([
      ...standard.slice(0, names().indexOf("list_tours")),
      "list_tours",
      ...standard.slice(names().indexOf("list_tours")),
    ]);
    expect(names({ tools: ["list_tours"] })).toEqual(["list_tours"]);
    expect(names({ toolsets: ["positions"] }).at(-1)).toBe("list_tours");
    expect((await own(service, { tools: ["list_jobs"] }).call("list_tours", {})).text).toContain(
      "list_tours is not available: not selected by",
    );
  });

  it("pages by cursor and takes its vehicle by name", async () => {
    const service = await served();
    const { call } = own(service);
    const seen: unknown[] = [];
    let cursor: unknown;
    do {
      const { ok, ...result } = await call("list_tours", { vehicle: "truck 12", limit: 2, ...(cursor !== undefined && { cursor }) });
      expect(ok).toBe(true);
      const structured = recordOf(result);
      seen.push(...rowsOf(structured).map(({ tourId }) => tourId));
      cursor = structured["next"];
    } while (cursor !== undefined);
    expect(seen).toEqual(TOURS.map(({ tourId }) => tourId));
    const pages = service.asked
      .filter(({ operation }) => operation === "listTours")
      .map(({ fields }) => [fields["vehicleId"], fields["pageIndex"]]);
    expect(pages).toEqual(["0", "1", "2"].map((page) => ["v12", page]));
  });

  it("is masked: no whereabouts on private journeys, no driver's name in any field", async () => {
    const { text, structured } = await own(await served(), { driverNames: "hide" }).call("listTours", { vehicle: "truck 12" });
    const record = recordOf({ structured });
    const shown = `${text} ${JSON.stringify(structured)}`;
    expect(shown, "see packages/tools/src/fleet/masked-client.ts").not.toContain(DRIVER);
    expect(text).toContain("Whereabouts on private journeys are withheld.");
    expect(rowsOf(record).map(({ endAddress }) => endAddress)).toEqual([ADDRESS, undefined, ADDRESS, ADDRESS, ADDRESS]);
  });

  it("is rejected by name if it cannot become a tool", () => {
    expect(refused({ effect: "update" })).toMatch(/^FleetError: operations: listTours writes/);
    expect(refused({ name: "listJobs" })).toMatch(/^FleetError: operations: two tools are named list_jobs/);
    const { tool: _, ...bare } = listTours;
    expect(() => own({ origin: "http://127.0.0.1:9", asked: [] }, {}, [bare])).toThrow("operations: listTours is not offered as a tool");
  });
});
