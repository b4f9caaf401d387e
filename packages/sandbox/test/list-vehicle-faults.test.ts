import { VehicleFaultsPage } from "@fleetwire/core";
import { describe, expect, test } from "vitest";
import { callSandbox, FRIDAY, found } from "./sandbox-caller.ts";

interface Fault {
  code: string;
  startDate: string;
  endDate?: string;
  startOdometer: number;
  endOdometer?: number;
  inProgress: boolean;
}
interface Item {
  id: string;
  groupId: string;
  faults: Fault[];
}

const call = callSandbox();
const page = (await call.faults({ pageSize: "500" })).body;
const all: Item[] = page.items;
const { id: vehicleId, groupId } = found(all, () => true);
const overlap = (fault: Fault, from: string, to = "9999") => fault.startDate <= to && (fault.endDate ?? "9999") > from;

describe("filters", () => {
  const autumn = ["2026-09-01T00:00:00", "2026-10-01T00:00:00"] as const;
  const root = async () => ({ groupId: (await call.updateGroup({ id: groupId })).body.path.split(".")[0] });

  test.each<[string, Record<string, string> | typeof root, (item: Item, fault: Fault) => boolean]>([
    ["none", {}, () => true],
    ["a group with its subgroups", root, () => true],
    ["dates, which a fault overlaps", { startDate: autumn[0], endDate: autumn[1] }, (_, fault) => overlap(fault, ...autumn)],
    ["a vehicle and a date", { vehicleId, startDate: autumn[0] }, ({ id }, fault) => id === vehicleId && overlap(fault, autumn[0])],
    ["an unknown vehicle", { vehicleId: "nosuchvehicle" }, () => false],
    ["future dates", { startDate: "2027-01-01T00:00:00" }, () => false],
  ])("%s", async (_name, query, fits) => {
    const { status, body } = await call.faults({ pageSize: "500", ...(typeof query === "function" ? await query() : query) });
    const expected = all.map((item) => ({ ...item, faults: item.faults.filter((fault) => fits(item, fault)) }));
    expect([status, body.items]).toEqual([200, expected.filter(({ faults }) => faults.length > 0)]);
  });
});

describe("pages", () => {
  test("start at zero, and together hold everything", async () => {
    const collected: Item[] = [];
    for (let pageIndex = 0; pageIndex < all.length / 7; pageIndex++) {
      const { body } = await call.faults({ pageSize: "7", pageIndex: String(pageIndex) });
      expect(body.pagination).toEqual({ totalItems: all.length, totalPages: Math.ceil(all.length / 7), pageSize: 7, pageIndex });
      collected.push(...body.items);
    }
    expect(collected).toEqual(all);
  });

  test.each<[string, Record<string, string>, Record<string, number>, number]>([
    ["without a size have 50 items", {}, { pageSize: 50, pageIndex: 0 }, all.length],
    ["have at most 500 items", { pageSize: "100000" }, { pageSize: 500 }, all.length],
    ["beyond the last are empty", { pageIndex: "999" }, { pageIndex: 999 }, 0],
  ])("%s", async (_source, query, pagination, count) => {
    const { body } = await call.faults(query);
    expect([body.pagination, body.items.length]).toEqual([expect.objectContaining(pagination), count]);
  });
});

describe("faults", () => {
  test("have only documented fields, and are over or in progress, with consistent odometers", () => {
    expect(VehicleFaultsPage.parse(page)).toEqual(page);
    for (const { inProgress, startDate, endDate, startOdometer, endOdometer } of all.flatMap(({ faults }) => faults)) {
      expect([inProgress, inProgress]).toEqual([endDate === undefined, endOdometer === undefined]);
      expect(startDate < (endDate ?? "9999") && startOdometer <= (endOdometer ?? startOdometer)).toBe(true);
    }
  });

  test("if in progress, are the active fault codes of live positions; while new, a defect", async () => {
    for (let hours = 0; hours < 100; hours += 17) {
      call.setClock(FRIDAY + hours * 3_600_000);
      const { body } = await call.faults({ pageSize: "500" });
      for (const { assetId, activeFaultCodes = [] } of await call.live()) {
        const { faults = [] } = body.items.find(({ id }: Item) => id === assetId) ?? {};
        const codes = faults.filter((fault: Fault) => fault.inProgress).map((fault: Fault) => fault.code);
        expect([...new Set(codes)]).toEqual(activeFaultCodes);
      }
    }
    const isNew = ({ startDate }: Fault) => startDate > "2026-06-01";
    const { id, faults } = found(all, (item) => item.faults.some(isNew));
    const { startDate: date } = found(faults, isNew);
    call.setClock(Date.parse(date));
    expect(await call.live({ vehicleIds: id })).toMatchObject([{ eventType: "defect", date }]);
    call.setClock(FRIDAY);
  });
});

test.each<[string, Record<string, string>, string[]]>([
  ["a date with a suffix", { startDate: "2026-11-01T00:00:00Z" }, ["startDate"]],
  ["a date without a time", { endDate: "2026-11-01" }, ["endDate"]],
  ["a date that does not exist", { startDate: "2026-13-01T00:00:00" }, ["startDate"]],
  ["an end before the start", { startDate: "2026-11-02T00:00:00", endDate: "2026-11-01T00:00:00" }, ["startDate", "endDate"]],
  ["an empty page", { pageSize: "0" }, ["pageSize"]],
  ["a page below zero", { pageIndex: "-1" }, ["pageIndex"]],
  ["a page that is not a number", { pageIndex: "first" }, ["pageIndex"]],
])("%s is refused", async (_name, query, offendingFields) => {
  expect(await call.faults(query)).toMatchObject({ status: 400, body: { offendingFields } });
});
