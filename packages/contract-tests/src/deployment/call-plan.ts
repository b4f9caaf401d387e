import { type LivePosition, type Operation, type OperationName, operations } from "@fleetwire/core";
import { parseDateTime, probeContextOf, separated } from "@fleetwire/core/internal";
import { valuesAt } from "../json-values.ts";

type Json = Record<string, unknown>;

/** The results of earlier calls by step name. */
export type Seen = ReadonlyMap<string, unknown>;

/** One call to a deployment. */
export interface Step {
  /** The name of the recorded fixture. */
  name: string;
  title: string;
  operation: OperationName;
  writes: boolean;
  /** The input, or undefined if earlier results provide none. */
  input: (seen: Seen, now: Date) => Json | undefined;
  /** For a later page: the step that requests the first one. */
  firstPage?: string | undefined;
}

const DAY = 86_400_000;
const PAGE_SIZE = 5;

const LIVE = "list-live-positions";
const FAULTS = "list-vehicle-faults-first-page";
const TACHO_DAY = "query-tacho-activity-day";

type Input = Step["input"];
type Call = [name: string, title: string, input: Input, firstPage?: string];

const positions = (seen: Seen) => (seen.get(LIVE) ?? []) as LivePosition[];
const isPlainId = (id: unknown) => /^[A-Za-z0-9]+$/.test(String(id ?? ""));
const idsAt = (seen: Seen, step: string, path: string) => [...new Set(valuesAt(seen.get(step), path))].filter(isPlainId).slice(0, 2);
const numberAt = (seen: Seen, step: string, path: string) => Number(valuesAt(seen.get(step), path)[0] ?? 0);

const lastDay = (now: Date) => ({ startTime: new Date(now.getTime() - DAY).toISOString(), endTime: now.toISOString(), limit: PAGE_SIZE });

/** A filter for values of an earlier response, or undefined if there are none. */
const filter = (name: string, values: readonly unknown[], others: Json = {}): Json | undefined =>
  values.length > 0 ? { ...others, [name]: values } : undefined;

/** A filter for the first value of the last day's activities. */
const filterOfDay = (name: string, path: string): Input => {
  return (seen, now) => filter(name, valuesAt(seen.get(TACHO_DAY), path).filter(Boolean).slice(0, 1), lastDay(now));
};

/** Calls made in place of an operation's probe, on any deployment: filters, later pages, and writes that change little or nothing. */
const CALLS: { readonly [Name in OperationName]?: readonly Call[] } = {
  listLivePositions: [
    [LIVE, "All positions", () => ({})],
    ...Object.entries({ vehicles: "assetId", drivers: "driverId", groups: "assetGroupId" }).map(
      ([what, field]): Call => [
        `list-live-positions-by-${what}`,
        `Positions of two ${what}`,
        (seen) => filter(`${what.slice(0, -1)}Ids`, idsAt(seen, LIVE, `$[*].${field}`)),
      ],
    ),
    [
      "list-live-positions-since",
      "Positions since a given time",
      (seen) => {
        const instants = positions(seen).flatMap(({ date }) => parseDateTime(date) ?? []);
        return instants.length === 0 ? undefined : { fromDateTime: new Date(instants.sort((a, b) => b - a)[0] as number).toISOString() };
      },
    ],
    [
      "list-live-positions-every-status",
      "Positions including sold vehicles",
      () => ({ showAllVehicleStatus: true, hideSpeedIfSpeedSensitive: true }),
    ],
  ],
  listVehicleFaults: [
    [FAULTS, "The first page of faults", () => ({ pageSize: PAGE_SIZE, pageIndex: 0 })],
    [
      "list-vehicle-faults-second-page",
      "The second page of faults",
      (seen) => (numberAt(seen, FAULTS, "$.pagination.totalPages") > 1 ? { pageSize: PAGE_SIZE, pageIndex: 1 } : undefined),
      FAULTS,
    ],
    [
      "list-vehicle-faults-of-a-vehicle",
      "Faults of one vehicle",
      (seen) => {
        const [id] = idsAt(seen, FAULTS, "$.items[*].id");
        return id === undefined ? undefined : { vehicleId: id };
      },
    ],
  ],
  queryTachoActivity: [
    [TACHO_DAY, "Tachograph activities of a day", (_, now) => ({ ...lastDay(now), skip: 0 })],
    ["query-tacho-activity-sorted", "Tachograph activities, sorted", (_, now) => ({ ...lastDay(now), sort: { driverKey: "ASC" } })],
    [
      "query-tacho-activity-second-page",
      "The second page of tachograph activities",
      (seen, now) => (numberAt(seen, TACHO_DAY, "$.count") > PAGE_SIZE ? { ...lastDay(now), skip: PAGE_SIZE } : undefined),
      TACHO_DAY,
    ],
    ["query-tacho-activity-of-a-driver", "Tachograph activities of one driver", filterOfDay("driverKeys", "$.data[*].driverKey")],
    [
      "query-tacho-activity-of-a-vehicle",
      "Tachograph activities in one vehicle",
      filterOfDay("registrations", "$.data[*].activities[*].assetRegistration"),
    ],
  ],
  updateGroup: [
    [
      "update-group-unchanged",
      "A group's name is set to its current one",
      (seen) => {
        const group = positions(seen).find((one) => /^[a-z0-9]{1,24}$/.test(one.assetGroupId ?? "") && one.assetGroupName);
        return group && { id: group.assetGroupId, name: group.assetGroupName };
      },
    ],
  ],
  createJob: [
    [
      "create-job",
      "A job at an address",
      (_, now) => ({
        jobTitle: `Contract check ${now.toISOString().slice(0, 16)}, may be deleted`,
        address: "Quai Perrache 10, 69002 Lyon, France",
      }),
    ],
  ],
};

/** The token comes first, since other calls need it, then live positions, which provide ids for filters; writes come last. */
const ORDER = [operations.requestAccessToken.name, operations.listLivePositions.name];
const placeOf = ({ name, effect }: Operation) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length + Number(effect !== "read"));

/** The cheapest call of a read operation. */
function probesOf({ name, summary, probe }: Operation): Call[] {
  if (!probe) return [];
  const input: Input = (seen, now) => {
    const probeInput = probe(probeContextOf(positions(seen), now));
    // Fixtures contain plain JSON.
    return probeInput === undefined ? undefined : JSON.parse(JSON.stringify(probeInput));
  };
  return [[separated(name, "-"), summary, input]];
}

/** The calls to make: for each operation, those in {@link CALLS}, or its probe if it is not listed there. */
export function callPlanOf(all: Readonly<Record<string, Operation>>): readonly Step[] {
  const inOrder = Object.values(all).toSorted((a, b) => placeOf(a) - placeOf(b));
  return inOrder.flatMap((described) => {
    const operation = described.name as OperationName;
    const calls = CALLS[operation] ?? probesOf(described);
    return calls.map(([name, title, input, firstPage]) => ({
      name,
      title,
      operation,
      writes: described.effect !== "read",
      input,
      firstPage,
    }));
  });
}

/** Calls of every operation of the interface, reads first, that work on any deployment. */
export const callPlan: readonly Step[] = callPlanOf(operations);

/** The call that provides ids for others. */
export const POSITIONS = callPlan.find(({ name }) => name === LIVE) as Step;
