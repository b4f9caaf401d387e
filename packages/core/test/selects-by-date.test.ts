import { instantAmong, selectsByDate } from "@fleetwire/core/internal";
import { expect, it } from "vitest";

const at = (hour: number, assetId = `v${hour}`) => ({ assetId, date: `2026-11-20T0${hour}:00:00Z` });
const instant = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));

it.each([
  [[at(3), at(1), at(2)], instant(3)],
  [[at(1), at(2)], instant(2)],
  [[at(4), at(1), at(2), at(3)], instant(3)],
  [[at(1), at(2, "a"), at(2, "b"), { assetId: "c", date: "soon" }], instant(2)],
  [[at(1), at(1, "b")], undefined],
  [[], undefined],
])("some of %j are older than %s", (records, expected) => expect(instantAmong(records)).toEqual(expected));

const ALL = [at(1), at(2), at(3), { assetId: "none" }];

it.each([
  ["just those from then on", [at(2), at(3)], true],
  ["one reported since", [at(2), at(3), at(5)], true],
  ["one of them newer", [at(3, "v2"), at(3)], true],
  ["an older one", [at(1), at(2), at(3)], false],
  ["one without a date", [at(2), at(3), { assetId: "none" }], false],
  ["one too few", [at(3)], false],
  ["none", [], false],
])("%s are selected by date: %j", (_, selected, isByDate) => expect(selectsByDate(ALL, selected, instant(2))).toBe(isByDate));
