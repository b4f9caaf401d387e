import type { LivePosition } from "@fleetwire/core";
import type { SandboxOptions } from "@fleetwire/sandbox";
import { Stage } from "./stage.ts";

type Position = LivePosition;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A way to bring the sandbox into a state that a fixture is given in. */
interface State {
  given: RegExp;
  options?: SandboxOptions;
  /** Finds, or makes, who has the parts that the text names. */
  arrange?: (stage: Stage, given: string) => Promise<void>;
}

const positionsOf = async (stage: Stage, customer = 0) =>
  (await stage.ask("listLivePositions", { query: { showAllVehicleStatus: "true" } }, customer)) as unknown as Position[];

const wordsIn = (given: string, letter: string): string[] =>
  [...new Set(given.match(new RegExp(`\\b${letter}[1-8]\\d{3}\\b`, "g")) ?? [])].sort();

/** v1001 to v1003 names v1002 too. */
function namedIn(given: string, letter: string): string[] {
  const span = new RegExp(`\\b${letter}(\\d{4}) to ${letter}(\\d{4})`).exec(given);
  if (!span) return wordsIn(given, letter);
  const [from, to] = [Number(span[1]), Number(span[2])];
  return Array.from({ length: to - from + 1 }, (_, at) => `${letter}${from + at}`);
}

function castVehicle(stage: Stage, number: number, position: Position | undefined): void {
  if (!position) throw new Error("the sandbox has no vehicle for this state");
  const { assetId = "", assetRegistration = "", assetName = "", driverId, assetGroupId } = position;
  stage.cast
    .set(`v${number}`, assetId)
    .set(`FW${number} AB`, assetRegistration)
    .set(`Truck ${number - 1000}`, assetName);
  if (driverId !== undefined) stage.cast.set(`p${number}`, driverId);
  if (assetGroupId !== undefined) stage.cast.set(`g${number}`, assetGroupId);
}

async function castVehicles(stage: Stage, given: string, fits: (position: Position) => boolean = () => true): Promise<void> {
  const positions = (await positionsOf(stage)).filter((position) => position.driverId !== undefined && fits(position));
  for (const [at, name] of namedIn(given, "v").entries()) castVehicle(stage, Number(name.slice(1)), positions[at]);
}

async function castJobParts(stage: Stage, given: string): Promise<void> {
  const positions = await positionsOf(stage);
  const isPool = (position: Position) => position.assetGroupName !== position.driverGroupName;
  const driven = positions.filter((position) => position.driverName !== undefined && !isPool(position) && position.status !== "SOLD");
  const pool = positions.find((position) => position.driverName !== undefined && isPool(position) && position.status !== "SOLD");
  castVehicle(stage, 1002, pool);
  castVehicle(stage, 1001, driven[0]);
  stage.cast.set("Ada Byron", driven[0]?.driverName ?? "").set("Fleet", stage.sandbox.customers[0]?.name ?? "");
  stage.cast.set("t1001", "jobtypedelivery");
  if (given.includes("Max Weber")) stage.cast.set("Max Weber", driven[1]?.driverName ?? "");
}

/** Groups as the text tells of them, made of groups that nobody else needs. */
async function arrangeGroups(stage: Stage, given: string): Promise<void> {
  const positions = await positionsOf(stage);
  const driven = positions.filter(({ driverId }) => driverId !== undefined);
  for (const [at, name] of namedIn(given, "v").entries()) stage.cast.set(name, driven[at]?.assetId ?? "");
  for (const [at, name] of namedIn(given, "p").entries()) stage.cast.set(name, driven[at]?.driverId ?? "");
  const groups = [...new Set(positions.flatMap(({ assetGroupId = [] }) => assetGroupId))];
  const { path = "" } = (await stage.ask("updateGroup", { body: { id: groups[0] } })) as { path?: string };
  const root = path.split(".")[0] ?? "";
  stage.cast.set("g1001", root);

  const clauses = given.matchAll(
    /group (\w+)(?: named (\w+))?(?: below (?:the root group )?(\w+)| below the root group)?(?:, (with [^;]*?))?(?=,? and a |, a |;|$)/g,
  );
  for (const [, name = "", called, above = "g1001", members = ""] of clauses) {
    if (name === "g1001" || stage.cast.has(name)) continue;
    const id = groups.pop() ?? "";
    stage.cast.set(name, id);
    const body = {
      id,
      parentId: stage.cast.get(above) ?? root,
      ...(called && { name: called }),
      vehicleIds: wordsIn(members, "v").map((word) => stage.cast.get(word)),
      personIds: wordsIn(members, "p").map((word) => stage.cast.get(word)),
    };
    await stage.ask("updateGroup", { body });
  }
}

async function castStrangers(stage: Stage): Promise<void> {
  const [stranger] = (await positionsOf(stage, 1)).filter(({ driverId }) => driverId !== undefined);
  stage.cast
    .set("g9001", stranger?.assetGroupId ?? "")
    .set("v9001", stranger?.assetId ?? "")
    .set("p9001", stranger?.driverId ?? "");
}

interface Item {
  id?: string;
  faults?: { inProgress?: boolean }[];
}

async function castFaulty(stage: Stage, given: string): Promise<void> {
  const { items = [] } = (await stage.ask("listVehicleFaults", { query: { pageSize: "500", startDate: "2026-11-01T00:00:00" } })) as {
    items?: Item[];
  };
  const both = items.find(({ faults = [] }) => faults.some(({ inProgress }) => inProgress) && faults.some(({ inProgress }) => !inProgress));
  const id = (given.includes("finished") ? both : items[0])?.id;
  const position = (await positionsOf(stage)).find(({ assetId }) => assetId === id);
  castVehicle(stage, 1001, position);
  stage.cast.set("g1002", position?.assetGroupId ?? "");
}

async function castActiveDrivers(stage: Stage, given: string): Promise<void> {
  const span = { startTime: "2026-11-20T00:00:00", endTime: "2026-11-21T00:00:00" };
  const { data = [] } = (await stage.ask("queryTachoActivity", { body: span })) as {
    data?: { driverId: string; driverKey: string; activities: { assetRegistration: string }[] }[];
  };
  for (const [at, name] of namedIn(given, "p").entries()) {
    const driver = data[at];
    if (!driver) throw new Error("the sandbox has no driver who was active that day");
    const ordinal = at + 1;
    stage.cast.set(name, driver.driverId).set(`DB123456789${String(ordinal).padStart(3, "0")}01`, driver.driverKey);
    stage.cast.set(`FW100${ordinal} AB`, driver.activities[0]?.assetRegistration ?? "");
  }
}

const isSold = ({ status }: Position) => status === "SOLD";

/** The state in which `record --sandbox` finds it. */
export const SANDBOX_AT_START = "the sandbox as it starts";

/** Every state in which a reproducible fixture may be given; the first that fits is arranged. */
const STATES: readonly State[] = [
  { given: /^credentials that the service knows$/ },
  {
    given: /^credentials that the service does not know$/,
    arrange: async (stage) => {
      stage.strangers = true;
    },
  },
  {
    given: /^a fleet with root group Fleet, driver p1001.* and a job with the number N-1$/,
    arrange: async (stage, given) => {
      await castJobParts(stage, given);
      await stage.ask("createJob", { body: { address: "Quai Perrache 10, 69002 Lyon, France", jobNumber: "N-1" } });
    },
  },
  { given: /^a fleet with root group Fleet, driver p1001/, arrange: castJobParts },
  {
    given: /belongs? to another customer/,
    arrange: async (stage, given) => {
      await arrangeGroups(stage, given.split(";")[0]?.startsWith("group g1002") ? (given.split(";")[0] ?? "") : "");
      await castStrangers(stage);
    },
  },
  { given: /^group \w+/, arrange: arrangeGroups },
  { given: /^there is no group g9999$/ },
  { given: /^a fleet$/ },
  { given: new RegExp(`^${SANDBOX_AT_START}$`) },
  {
    given: /^a fleet with jobs$/,
    arrange: async (stage) => {
      await stage.ask("createJob", { body: { address: "Quai Perrache 10, 69002 Lyon, France" } });
    },
  },
  { given: /^a fleet with tire events$/ },
  { given: /^a fleet without vehicle v8888$/ },
  {
    given: /which was sold$|that was sold$/,
    arrange: async (stage, given) => {
      await castVehicles(stage, given);
      castVehicle(
        stage,
        1001,
        (await positionsOf(stage)).find((position) => !isSold(position) && position.driverId !== undefined),
      );
      castVehicle(stage, 1002, (await positionsOf(stage)).find(isSold));
      stage.cast.set("g1001", (await positionsOf(stage)).find(isSold)?.assetGroupId ?? "");
      stage.cast.set("g1002", (await positionsOf(stage)).find((position) => !isSold(position))?.assetGroupId ?? "");
    },
    options: { vehicles: 200 },
  },
  {
    given: /speed-sensitive group|each with another latest event|plug-in hybrid|another energy type|on a private journey/,
    options: { vehicles: 400 },
  },
  {
    given: /^a fleet of two vehicles v1001 and v1002 in groups g1001 and g1002$/,
    arrange: async (stage) => {
      const positions = await positionsOf(stage);
      castVehicle(stage, 1001, positions[0]);
      castVehicle(
        stage,
        1002,
        positions.find(({ assetGroupId }) => assetGroupId !== positions[0]?.assetGroupId),
      );
    },
  },
  { given: /^a fleet of (one|two) vehicles?/ },
  { given: /^a fleet of vehicles v1001 to v1003$/, arrange: castVehicles },
  { given: /^a fleet without faults$/, options: { vehicles: 1, seed: 3 } },
  { given: /^a fleet with .*faults? .*on .*vehicles? v1001/, arrange: castFaulty },
  { given: /^a fleet in which nobody was active on 20 November 2026$/, options: { clock: () => Date.UTC(2026, 10, 19) } },
  {
    given: /^a fleet in which drivers .* were active on 20 November 2026$/,
    options: { clock: () => Date.UTC(2026, 10, 20) + DAY + 8 * HOUR },
    arrange: castActiveDrivers,
  },
];

/** Starts a sandbox in the state that a text describes, or throws where nobody knows how. */
export async function stageFor(given: string, options: SandboxOptions = {}): Promise<Stage> {
  const state = STATES.find((candidate) => candidate.given.test(given));
  if (!state) throw new Error(`nobody knows how to bring the sandbox into this state: ${given}`);
  const stage = new Stage({ ...state.options, ...options });
  await state.arrange?.(stage, given);
  return stage;
}
