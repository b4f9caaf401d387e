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
  assetName: string;
  groupId: string;
  faults: Fault[];
}

const call = callSandbox();
const all: Item[] = (await call.faults({ pageSize: "500" })).body.items;
const [some] = all;
const vehicleId = some?.id ?? "";
const lasts = (fault: Fault, from: string, to: string) => fault.startDate <= to && (fault.endDate ?? "9999") > from;
const outline = (items: Item[]) =>
  items.map(({ id, faults }) => ({ id, faults: faults.map(({ code, startDate }) => `${code} ${startDate}`) }));
const expected = (fits: (item: Item, fault: Fault) => boolean) =>
  outline(
    all.map((item) => ({ ...item, faults: item.faults.filter((fault) => fits(item, fault)) })).filter(({ faults }) => faults.length > 0),
  );

describe("filters", () => {
  const rows: [string, string, Record<string, string>, (item: Item, fault: Fault) => boolean][] = [
    ["documented 4.2", "none", {}, () => true],
    ["documented 4.2", "a vehicle", { vehicleId }, (item) => item.id === vehicleId],
    ["documented 4.2", "a group", { groupId: some?.groupId ?? "" }, (item) => item.groupId === some?.groupId],
    [
      "chosen S18",
      "dates, which a fault overlaps",
      { startDate: "2026-09-01T00:00:00", endDate: "2026-10-01T00:00:00" },
      (_item, fault) => lasts(fault, "2026-09-01T00:00:00", "2026-10-01T00:00:00"),
    ],
    [
      "documented 4.2",
      "a vehicle and a date",
      { vehicleId, startDate: "2026-08-01T00:00:00" },
      (item, fault) => item.id === vehicleId && lasts(fault, "2026-08-01T00:00:00", "9999"),
    ],
    ["chosen S11", "an unknown vehicle", { vehicleId: "nosuchvehicle" }, () => false],
    ["chosen S18", "future dates", { startDate: "2027-01-01T00:00:00" }, () => false],
  ];
  test.each(rows)("%s: %s", async (_source, _name, query, fits) => {
    const { status, body } = await call.faults({ pageSize: "500", ...query });
    expect(status).toBe(200);
    expect(outline(body.items)).toEqual(expected(fits));
  });

  test("chosen S17: a group includes its subgroups", async () => {
    const { body } = await call.updateGroup({ id: some?.groupId ?? "" });
    const [root] = body.path.split(".");
    expect(outline((await call.faults({ groupId: root, pageSize: "500" })).body.items)).toEqual(outline(all));
  });
});

describe("pages", () => {
  test("documented 2.3: start at zero, and together hold everything", async () => {
    const collected: Item[] = [];
    for (let pageIndex = 0; ; pageIndex++) {
      const { body } = await call.faults({ pageSize: "7", pageIndex: String(pageIndex) });
      expect(body.pagination).toEqual({ totalItems: all.length, totalPages: Math.ceil(all.length / 7), pageSize: 7, pageIndex });
      collected.push(...body.items);
      if (pageIndex + 1 >= body.pagination.totalPages) break;
    }
    expect(outline(collected)).toEqual(outline(all));
  });

  const rows: [string, string, Record<string, string>, Record<string, number>][] = [
    ["chosen S19", "without a size have 50 items", {}, { pageSize: 50, pageIndex: 0 }],
    ["chosen S19", "have at most 500 items", { pageSize: "100000" }, { pageSize: 500 }],
    ["chosen S12", "beyond the last are empty", { pageIndex: "999" }, { pageIndex: 999 }],
  ];
  test.each(rows)("%s: %s", async (_source, name, query, pagination) => {
    const { status, body } = await call.faults(query);
    expect(status).toBe(200);
    expect(body.pagination).toMatchObject(pagination);
    if (name.startsWith("beyond")) expect(body.items).toEqual([]);
  });
});

describe("faults", () => {
  test("documented 2.3: have only documented fields of the documented types", async () => {
    const { body } = await call.faults({ pageSize: "500" });
    expect(VehicleFaultsPage.parse(body)).toEqual(body);
  });

  test("documented 2.3: are over or in progress, with consistent odometers", () => {
    for (const fault of all.flatMap((item) => item.faults)) {
      expect(fault.inProgress).toBe(fault.endDate === undefined);
      expect(fault.inProgress).toBe(fault.endOdometer === undefined);
      if (fault.endDate) expect(fault.startDate < fault.endDate && fault.startOdometer <= (fault.endOdometer ?? 0)).toBe(true);
    }
  });

  test("documented 2.4: if in progress, are the active fault codes of live positions", async () => {
    for (let hours = 0; hours < 200; hours += 9) {
      call.setClock(FRIDAY + hours * 3_600_000);
      const { body } = await call.faults({ pageSize: "500" });
      for (const { assetId, activeFaultCodes = [] } of await call.live()) {
        const item = body.items.find(({ id }: Item) => id === assetId);
        const codes = (item?.faults ?? []).filter((fault: Fault) => fault.inProgress).map((fault: Fault) => fault.code);
        expect([...new Set(codes)]).toEqual(activeFaultCodes);
      }
    }
    call.setClock(FRIDAY);
  });

  test("chosen S44: are reported as a defect while new", async () => {
    const fault = found(
      all.flatMap((item) => item.faults.map((entry) => ({ ...entry, id: item.id }))),
      ({ startDate }) => startDate > "2026-06-01",
    );
    call.setClock(Date.parse(fault.startDate));
    expect(await call.live({ vehicleIds: fault.id })).toMatchObject([{ eventType: "defect", date: fault.startDate }]);
    call.setClock(FRIDAY);
  });
});

const refused: [string, string, Record<string, string>, string[]][] = [
  ["documented 4.2", "a date with a suffix", { startDate: "2026-11-01T00:00:00Z" }, ["startDate"]],
  ["documented 4.2", "a date without a time", { endDate: "2026-11-01" }, ["endDate"]],
  ["chosen S8", "a date that does not exist", { startDate: "2026-13-01T00:00:00" }, ["startDate"]],
  ["chosen S8", "an end before the start", { startDate: "2026-11-02T00:00:00", endDate: "2026-11-01T00:00:00" }, ["startDate", "endDate"]],
  ["chosen S8", "an empty page", { pageSize: "0" }, ["pageSize"]],
  ["documented 4.2", "a page below zero", { pageIndex: "-1" }, ["pageIndex"]],
  ["documented 4.2", "a page that is not a number", { pageIndex: "first" }, ["pageIndex"]],
];
test.each(refused)("%s: %s is refused", async (_source, _name, query, offendingFields) => {
  expect(await call.faults(query)).toMatchObject({ status: 400, body: { offendingFields } });
});
