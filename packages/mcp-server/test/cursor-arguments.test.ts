import { describe, expect, it } from "vitest";
import { faultPages } from "../../tools/test/fleet-service.ts";
import { errorOf, NOW, serverUnderTest, structuredOf, textOf } from "./server-under-test.ts";

const MINUTE = 60_000;

const truck = { assetId: "v12", assetName: "Truck 12", assetRegistration: "KX21 ABC", assetGroupId: "north", assetGroupName: "North vans" };
const hour = (at: number) => new Date(NOW - at * 60 * MINUTE).toISOString();
const faultAt = (at: number) => ({ id: "v12", faults: [{ code: `P${at}`, startDate: hour(at) }] });

/** A service with the faults of the last day, oldest first, which returns those in the requested period. */
async function rolling() {
  let minutes = 0;
  const all = [23.99, 20, 15, 10, 5, 1].map(faultAt);
  const server = await serverUnderTest({
    now: () => NOW + minutes * MINUTE,
    script: {
      listLivePositions: () => ({ body: [truck] }),
      listVehicleFaults: (request) => {
        const [from, until] = ["startDate", "endDate"].map((name) => Date.parse(`${request.url.searchParams.get(name)}Z`));
        const within = all.filter(({ faults: [fault] }) => {
          const began = Date.parse(fault?.startDate ?? "");
          return began >= (from ?? 0) && began <= (until ?? 0);
        });
        return faultPages(within).listVehicleFaults?.(request) ?? "silence";
      },
    },
  });
  return {
    ...server,
    pass: (more: number) => {
      minutes += more;
    },
  };
}

const QUESTION = { vehicle: "truck 12", period: "last 24 hours", limit: 2, fields: ["code"] };

describe("the cursor of a list requested by name and period", () => {
  it("keeps the period, so that a rolling one skips nothing between pages", async () => {
    const { call, pass, service } = await rolling();
    const codes: string[] = [];
    const notes: string[] = [];
    for (let cursor: string | undefined; codes.length < 10; pass(2)) {
      const { items, next, note } = structuredOf(await call("list_vehicle_faults", { ...QUESTION, ...(cursor && { cursor }) }));
      codes.push(...items.map(({ code }: { code: string }) => code));
      notes.push(note.replace("More: repeat this call with next as cursor. ", ""));
      if (next === undefined) break;
      cursor = next;
    }
    expect(codes).toEqual(["P1", "P5", "P10", "P15", "P20", "P23.99"]);
    const spans = service
      .of("listVehicleFaults")
      .map(({ url: { searchParams } }) => ["startDate", "endDate"].map((name) => searchParams.get(name)));
    expect(new Set(spans.map(String))).toEqual(new Set(["2026-11-19T08:34:00,2026-11-20T08:34:00"]));
    expect(new Set(notes).size).toBe(1);
    expect(notes[0]).toMatch(/^Only Truck 12 \(KX21 ABC\)\. Period last 24 hours in UTC: 2026-11-19 08:34 to 2026-11-20 08:34; /);
  });

  it("keeps the vehicle's id, even if it is renamed", async () => {
    const { call, service } = await rolling();
    const { next } = structuredOf(await call("list_vehicle_faults", QUESTION));
    for (const [fleet, expected] of [
      [
        [
          { ...truck, assetName: "Truck 13" },
          { ...truck, assetId: "v13", assetRegistration: "KX22 XYZ" },
        ],
        "Only Truck 13 (KX21 ABC).",
      ],
      [[], "Only id v12, not in live positions."],
    ] as const) {
      service.script.listLivePositions = () => ({ body: fleet });
      const result = await call("list_vehicle_faults", { ...QUESTION, cursor: next });
      expect(textOf(result)).toContain(expected);
      expect(service.of("listVehicleFaults").at(-1)?.url.searchParams.get("vehicleId")).toBe("v12");
    }
  });

  it("is enough without the words, and is refused with other words", async () => {
    const { call, service, pass } = await rolling();
    const { next } = structuredOf(await call("list_vehicle_faults", QUESTION));
    pass(2);
    const { items, note } = structuredOf(await call("list_vehicle_faults", { limit: 2, fields: ["code"], cursor: next }));
    expect(items).toEqual([{ code: "P10" }, { code: "P15" }]);
    expect(note).toContain("Period unchanged, in UTC: 2026-11-19 08:34 to 2026-11-20 08:34;");
    const sent = service.of("listVehicleFaults").length;
    for (const other of [{ period: "last 12 hours" }, { vehicle: "truck 13" }, { group: "north vans" }]) {
      expect(errorOf(await call("list_vehicle_faults", { ...QUESTION, ...other, cursor: next }))).toMatch(
        /^input: cursor: the names or the period have changed\. Next: Call again with the same arguments, or without cursor/,
      );
    }
    expect(service.of("listVehicleFaults")).toHaveLength(sent);
  });

  it.each([
    ["an invalid id", ["", "aaaaaa", 1, 2, "../other", "", 1, -3, "v12", "P1", 0], /vehicleId/],
    ["a digest of another length", ["", "aaa", 1, 2, "v12", "", 1, -3, "v12", "P1", 0], /was not issued by this tool/],
    ["an invalid instant", ["", "aaaaaa", 1, 9e15, "v12", "", 1, -3, "v12", "P1", 0], /was not issued by this tool/],
    ["too few elements", ["", "aaaaaa", 1, 2, "v12", 1, -3, "v12", "P1", 0], /was not issued by this tool/],
  ])("is refused with %s", async (_, place, expected) => {
    const { call, service } = await rolling();
    const cursor = Buffer.from(JSON.stringify(place)).toString("base64url");
    expect(errorOf(await call("list_vehicle_faults", { cursor }))).toMatch(expected);
    expect(service.of("listVehicleFaults")).toEqual([]);
  });
});
