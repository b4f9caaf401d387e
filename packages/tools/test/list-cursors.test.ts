import { describe, expect, it } from "vitest";
import { faultPages, NOW, servedFleet } from "./served-fleet.ts";

const cursorOf = (place: unknown) => Buffer.from(JSON.stringify(place)).toString("base64url");

it("a cursor may be wrapped, padded or in the other alphabet when it comes back", async () => {
  const jobs = [">??", "~~~", "c"].map((jobNumber) => ({ jobNumber }));
  const { record } = await servedFleet({ script: { listJobs: () => ({ body: jobs }) } });
  const { next } = await record("list_jobs", { limit: 2 });
  for (const cursor of [`${next}==`, `${next}\n`, ` ${next.slice(0, 8)} ${next.slice(8)}`, next.replaceAll("-", "+").replaceAll("_", "/")])
    expect((await record("list_jobs", { cursor })).items).toEqual([{ jobNumber: "c" }]);
});

describe("the cursor of a list requested by name and period", () => {
  const MINUTE = 60_000;
  const truck = {
    ...{ assetId: "v12", assetName: "Truck 12", assetRegistration: "KX21 ABC" },
    ...{ assetGroupId: "north", assetGroupName: "North vans" },
  };
  const QUESTION = { vehicle: "truck 12", period: "last 24 hours", limit: 2, fields: ["code"] };
  const SPAN = "2026-11-19 08:34 to 2026-11-20 08:34;";

  /** A service with the faults of the last day, which returns those in the requested period, and a clock. */
  async function rolling() {
    let now = NOW;
    const all = [23.99, 20, 15, 10, 5, 1].map((hours) => ({
      id: "v12",
      faults: [{ code: `P${hours}`, startDate: new Date(NOW - hours * 60 * MINUTE).toISOString() }],
    }));
    const served = await servedFleet({
      options: { now: () => now },
      script: {
        listLivePositions: () => ({ body: [truck] }),
        listVehicleFaults: (request) => {
          const [from = 0, until = 0] = ["startDate", "endDate"].map((name) => Date.parse(`${request.url.searchParams.get(name)}Z`));
          const within = all.filter(({ faults: [fault] }) => {
            const began = Date.parse(fault?.startDate ?? "");
            return began >= from && began <= until;
          });
          return faultPages(within).listVehicleFaults?.(request) ?? "silence";
        },
      },
    });
    return { ...served, pass: (minutes: number) => (now += minutes * MINUTE) };
  }

  it("keeps the period, so that a rolling one skips nothing between pages", async () => {
    const { record, pass, service } = await rolling();
    const codes: string[] = [];
    for (let page = { next: undefined as string | undefined }; codes.length < 6; pass(2)) {
      const { items, next, note } = await record("list_vehicle_faults", { ...QUESTION, ...(page.next && { cursor: page.next }) });
      codes.push(...items.map(({ code }: { code: string }) => code));
      expect(note).toContain(`Only Truck 12 (KX21 ABC). Period last 24 hours in UTC: ${SPAN}`);
      page = { next };
    }
    expect(codes).toEqual(["P1", "P5", "P10", "P15", "P20", "P23.99"]);
    const spans = service
      .of("listVehicleFaults")
      .map(({ url: { searchParams } }) => `${searchParams.get("startDate")} ${searchParams.get("endDate")}`);
    expect(new Set(spans)).toEqual(new Set(["2026-11-19T08:34:00 2026-11-20T08:34:00"]));
  });

  it("keeps the vehicle's id, even if it is renamed or gone", async () => {
    const { record, text, service } = await rolling();
    const { next } = await record("list_vehicle_faults", QUESTION);
    const renamed = { ...truck, assetName: "Truck 13" };
    for (const [fleet, head] of [
      [[renamed, { ...truck, assetId: "v13", assetRegistration: "KX22 XYZ" }], "Only Truck 13 (KX21 ABC)."],
      [[], "Only id v12, not in live positions."],
    ] as const) {
      service.script.listLivePositions = () => ({ body: fleet });
      expect(await text("list_vehicle_faults", { ...QUESTION, cursor: next })).toContain(head);
      expect(service.of("listVehicleFaults").at(-1)?.url.searchParams.get("vehicleId")).toBe("v12");
    }
  });

  it("is enough without the words, and is refused with other words", async () => {
    const { record, failure, service, pass } = await rolling();
    const { next } = await record("list_vehicle_faults", QUESTION);
    pass(2);
    const { items, note } = await record("list_vehicle_faults", { limit: 2, fields: ["code"], cursor: next });
    expect(items).toEqual([{ code: "P10" }, { code: "P15" }]);
    expect(note).toContain(`Period unchanged, in UTC: ${SPAN}`);
    const sent = service.of("listVehicleFaults").length;
    for (const other of [{ period: "last 12 hours" }, { vehicle: "truck 13" }, { group: "north vans" }])
      expect(await failure("list_vehicle_faults", { ...QUESTION, ...other, cursor: next })).toMatch(
        /^input: cursor: the names or the period have changed\. Next: Call again with the same arguments, or without cursor/,
      );
    expect(service.of("listVehicleFaults")).toHaveLength(sent);
  });

  it.each([
    ["an invalid id", ["", "aaaaaa", 1, 2, "../other", "", 1, -3, "v12", "P1", 0], /vehicleId/],
    ["a digest of another length", ["", "aaa", 1, 2, "v12", "", 1, -3, "v12", "P1", 0], /was not issued by this tool/],
    ["an invalid instant", ["", "aaaaaa", 1, 9e15, "v12", "", 1, -3, "v12", "P1", 0], /was not issued by this tool/],
  ])("is refused with %s", async (_, place, expected) => {
    const { failure, service } = await rolling();
    expect(await failure("list_vehicle_faults", { cursor: cursorOf(place) })).toMatch(expected);
    expect(service.of("listVehicleFaults")).toEqual([]);
  });
});
