import { type Operation, operations } from "@fleetwire/core";
import type { NamedFixture } from "../fixtures/fixture.ts";
import type { Stage } from "../provider/stage.ts";
import { shown } from "../replay/json-differences.ts";

type Json = Record<string, unknown>;

const recordsIn = (body: unknown, list: string): Json[] => ((list === "" ? body : (body as Json)[list]) ?? []) as Json[];

/** Fields of a record that a parameter asks for: what is answered has to have one of the values asked for. */
const FILTERS: Readonly<Record<string, Readonly<Record<string, { list: string; inner?: string; field: string }>>>> = {
  listLivePositions: { vehicleIds: { list: "", field: "assetId" }, driverIds: { list: "", field: "driverId" } },
  listVehicleFaults: { vehicleId: { list: "items", field: "id" } },
  queryTachoActivity: {
    driverKeys: { list: "data", field: "driverKey" },
    registrations: { list: "data", inner: "activities", field: "assetRegistration" },
  },
};

const asked = ({ request }: NamedFixture): Json => ({ ...request.query, ...(request.body as Json | undefined) });

function filterProblems(fixture: NamedFixture, stage: Stage, body: unknown): string[] {
  const given = asked(fixture);
  return Object.entries(FILTERS[fixture.operation] ?? {}).flatMap(([parameter, { list, inner, field }]) => {
    if (given[parameter] === undefined) return [];
    const values = [given[parameter]]
      .flat()
      .flatMap((value) => String(value).split(","))
      .map((value) => stage.translate(value));
    return recordsIn(body, list)
      .flatMap((record) => (inner === undefined ? [record] : recordsIn(record, inner)))
      .filter((record) => !values.includes(String(record[field])))
      .map((record) => `${field} ${shown(record[field])} was not asked for by ${parameter}`);
  });
}

/** What live positions leave out unless they are asked for it, or because they are (interface 2.4 and 3). */
function leftOutProblems({ operation, given, request }: NamedFixture, body: unknown): string[] {
  if (operation !== "listLivePositions") return [];
  const records = recordsIn(body, "");
  const sold = request.query["showAllVehicleStatus"] === "true" ? [] : records.filter(({ status }) => status === "SOLD");
  const hides = request.query["hideSpeedIfSpeedSensitive"] === "true" && given.includes("speed-sensitive");
  return [
    ...sold.map(() => "status is SOLD: such vehicles are left out unless showAllVehicleStatus is true"),
    ...(hides && records.every(({ speed }) => speed !== undefined)
      ? ["speed is in every record: hideSpeedIfSpeedSensitive leaves it out of some"]
      : []),
  ];
}

/** The values by which records are sorted, one after the other, lists within records for themselves. */
function sequences(records: readonly Json[], [key = "", inner]: readonly string[]): unknown[][] {
  return inner === undefined
    ? [records.map((record) => record[key])]
    : records.map((record) => recordsIn(record, key).map((item) => item[inner]));
}

function orderProblems(fixture: NamedFixture, body: unknown): string[] {
  const [[field, direction] = []] = Object.entries((asked(fixture)["sort"] ?? {}) as Record<string, string>);
  if (field === undefined) return [];
  const isWrong = (values: unknown[]) =>
    values.some((value, at) => {
      const before = values[at - 1];
      if (at === 0 || before === undefined || value === undefined || before === value) return false;
      return (before as string) < (value as string) !== (direction === "ASC");
    });
  return sequences(recordsIn(body, "data"), field.split(".")).some(isWrong) ? [`${field} is not in the order ${direction}`] : [];
}

/** A page is no longer than was asked for, holds nothing of the first one unless it is the first, and keeps to the number of all records. */
async function pageProblems(fixture: NamedFixture, stage: Stage, body: unknown): Promise<string[]> {
  const { paging }: Operation = operations[fixture.operation];
  if (!paging) return [];
  const given = asked(fixture);
  const records = recordsIn(body, paging.items);
  const [turned, size] = paging.kind === "page" ? [paging.index, paging.size] : [paging.skip, paging.limit];
  const { totalItems, count, pageSize } = { ...(body as Json), ...((body as Json)["pagination"] as Json | undefined) };
  const [place, most] = [Number(given[turned] ?? 0), Number(given[size] ?? pageSize ?? Number.POSITIVE_INFINITY)];
  const before = paging.kind === "page" && place > 0 ? place * most : place;
  const total = totalItems ?? count;
  const due = Math.max(0, Math.min(most, Number(total) - before));
  const problems = [
    ...(records.length > most ? [`${paging.items} has ${records.length} records: ${size} asks for ${most} at most`] : []),
    ...(total !== undefined && records.length !== due
      ? [`${paging.items} has ${records.length} records: ${due} were expected of ${total} in all`]
      : []),
  ];
  if (place === 0) return problems;
  const part = paging.kind === "page" ? "query" : "body";
  const request = { ...fixture.request, [part]: { ...(fixture.request[part] as Json), [turned]: paging.kind === "page" ? "0" : 0 } };
  const first = new Set(recordsIn((await stage.send({ ...fixture, request })).body, paging.items).map((record) => JSON.stringify(record)));
  const again = records.filter((record) => first.has(JSON.stringify(record)));
  return [...problems, ...(again.length > 0 ? [`${paging.items} at ${turned} ${place} holds records of the first page`] : [])];
}

/** How an answer breaks the rules that the request lays down for it. */
export async function ruleProblems(fixture: NamedFixture, stage: Stage, body: unknown): Promise<string[]> {
  return [
    ...filterProblems(fixture, stage, body),
    ...leftOutProblems(fixture, body),
    ...orderProblems(fixture, body),
    ...(await pageProblems(fixture, stage, body)),
  ];
}
