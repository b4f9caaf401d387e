import type { ElicitResult } from "@modelcontextprotocol/client";

type Fields = Readonly<Record<string, unknown>>;

const inNorth = { assetGroupId: "north", assetGroupName: "North" };
const ofNorth = { driverGroupId: "north", driverGroupName: "North" };
const inSouth = { assetGroupId: "south", assetGroupName: "South" };
const ofSouth = { driverGroupId: "south", driverGroupName: "South" };

/** Vehicles and drivers with and without ids, alone in their names and not, in an order of nobody's. */
export const FLEET: readonly Fields[] = [
  { assetId: "v9", assetName: "Truck 1", ...inNorth, driverId: "p9", driverName: "Anna Keller", ...ofNorth },
  { assetId: "v2", assetName: "Truck 2", ...inNorth, driverId: "p3", driverName: "Bert Keller", ...ofSouth },
  { assetName: "Crane", ...inNorth, driverName: "Carl Nobody", ...ofNorth },
  { assetId: "v5", assetName: "Twin", ...inSouth },
  { assetId: "v6", assetName: "Twin", ...inSouth },
  { assetId: "v1", assetName: "Lonely", ...inSouth, driverId: "p1", driverName: "Dora Lind", ...ofNorth },
];

/** An answer of the service. */
export interface Written {
  status?: number;
  body: unknown;
}

/** A call of a tool that writes, and what it meets. */
export interface Probe {
  args: Fields;
  /** What the service answers to one write after another; the last answer again. */
  answers?: readonly Written[];
  /** What the fleet is, undefined where it cannot be read. */
  fleet?: readonly Fields[] | undefined;
  /** The answer to whoever asks for a token, where none is granted. */
  refused?: Written;
  env?: Record<string, string>;
  person?: ElicitResult;
  budgets?: readonly number[];
  retries?: number;
  /** Calls with the confirmation of the refusal, each with other arguments over the first ones. */
  confirmed?: readonly Fields[];
}

const PLACE = { address: "Quai 1, Lyon" };
const REMARKS = [{ message: "late" }, { field: "notes" }, { field: "address", message: "not exact" }];
const LOST: Written = { status: 500, body: [] };
const TAKEN: Written = { body: { errors: [{ field: "jobNumber", message: "taken" }] } };
const remarked = (...errors: Fields[]): Written => ({ body: { job: { jobNumber: "N1" }, errors } });
const numbers = (count: number, length: number) => Array.from({ length: count }, (_, at) => String(at).padStart(length, "0"));

export const JOBS: Readonly<Record<string, Probe>> = {
  "all that a job may have": {
    args: {
      ...PLACE,
      ...{ jobNumber: "N1", jobTitle: "Title", clientName: "Client", accountNumber: "A1", contactName: "Contact" },
      ...{ contactEmail: "contact@client.example", contactPhone: "+33 4", notes: "Ring", lat: 45.7, lng: 4.8 },
      ...{ scheduledStartDateTime: "2026-11-20T08:30Z", arrivalWindowStart: "2026-11-20T08:30Z", arrivalWindowEnd: "2026-11-20T09:30Z" },
      ...{ jobDuration: "01:30", personId: "p9", vehicleId: "v9", orderNumbers: ["O1", "O2"], status: "ASSIGNED", jobRadius: 150 },
      ...{ primaryResource: "VEHICLE", jobTypeId: "t1", override: false },
    },
    env: { FLEET_CONFIRM: "auto" },
    budgets: [5_000, 200],
    confirmed: [{ notes: "Other" }, {}, {}],
  },
  "a day without a time": { args: { ...PLACE, scheduledStartDateTime: "2026-11-12" } },
  "a day without a time, and a name that is not sure": { args: { scheduledStartDateTime: "2026-11-12", vehicleName: "truck" } },
  "no place, and a name that is not sure": { args: { vehicleName: "truck" } },
  "names as people say them": { args: { ...PLACE, vehicleName: "truck one", personName: "dora", groupName: "south" } },
  "names as people say them, dry": { args: { ...PLACE, vehicleName: "truck one", personName: "dora", groupName: "west", dryRun: true } },
  "a name that is not sure": { args: { ...PLACE, personName: "keller" } },
  "a name of two": { args: { ...PLACE, vehicleName: "v5" } },
  "names where the fleet cannot be read": { args: { ...PLACE, vehicleName: "truck one", groupName: "south" }, fleet: undefined },
  "names hidden, and a remark that holds one": {
    args: { ...PLACE, personName: "Driver e6350a", groupName: "west" },
    answers: [remarked({ message: "Dora Lind is away" })],
    env: { FLEET_DRIVER_NAMES: "hide" },
  },
  "names hidden, and a pseudonym": { args: { ...PLACE, personId: "p9", vehicleId: "v9" }, env: { FLEET_DRIVER_NAMES: "hide" } },
  remarks: { args: PLACE, answers: [remarked(...REMARKS)], budgets: [5_000, 200] },
  ...Object.fromEntries(
    [194, 195, 196].map((length) => [`a remark of ${length}`, { args: PLACE, answers: [remarked({ message: "x".repeat(length) })] }]),
  ),
  "a refusal": { args: PLACE, answers: [{ body: { errors: REMARKS } }] },
  "a job without a number": {
    args: PLACE,
    answers: [{ body: { job: { jobTitle: "x".repeat(500), jobId: "j1" } } }],
    budgets: [5_000, 200],
  },
  "a job whose number is last": {
    args: PLACE,
    answers: [{ body: { job: { jobTitle: "x".repeat(300), notes: "y".repeat(300), clientName: "z".repeat(300), jobNumber: "N1" } } }],
    budgets: [5_000, 250, 200],
  },
  "a lost answer, and the number taken": {
    args: { ...PLACE, groupName: "west" },
    answers: [LOST, TAKEN],
    retries: 1,
    env: { FLEET_JOB_NUMBERS: "client" },
  },
  "a number made here": { args: PLACE, env: { FLEET_JOB_NUMBERS: "client", FLEET_CONFIRM: "auto" }, confirmed: [{}] },
  ...Object.fromEntries(
    [1_000, 1_001].map((length) => [
      `notes of ${length}`,
      { args: { ...PLACE, notes: "n".repeat(length) }, env: { FLEET_CONFIRM: "auto" } },
    ]),
  ),
  ...Object.fromEntries(
    [
      [20, 3],
      [21, 3],
      [20, 60],
    ].map(([count = 0, length = 0]) => [
      `${count} order numbers of ${length}`,
      { args: { ...PLACE, orderNumbers: numbers(count, length) }, env: { FLEET_CONFIRM: "auto" } },
    ]),
  ),
  "texts that mean something to a table or a line": {
    args: { ...PLACE, notes: "a|b\nc", jobTitle: "", override: null },
    env: { FLEET_CONFIRM: "auto" },
  },
  "a person who agrees": {
    args: { ...PLACE, groupName: "west" },
    person: { action: "accept", content: { confirm: true } },
    env: { FLEET_CONFIRM: "auto" },
  },
  "a person who declines": {
    args: { ...PLACE, personName: "Driver cf4040" },
    person: { action: "decline" },
    env: { FLEET_CONFIRM: "auto", FLEET_DRIVER_NAMES: "hide" },
  },
  "read-only": { args: PLACE, env: { FLEET_READ_ONLY: "1" } },
};

export const GROUPS: Readonly<Record<string, Probe>> = {
  "no group": { args: { name: "New" } },
  "no group to add to": { args: { addVehicles: ["truck 1"] } },
  "an id alone": { args: { id: "north", name: "New" } },
  "an id alone, and no names": { args: { id: "north", name: "New", addVehicles: [], addPersons: [] } },
  "a name alone": { args: { group: "north", name: "New", parentId: "south" } },
  "a name and an id": { args: { group: "north", id: "north", name: "New" } },
  "an id, and vehicles to add": { args: { id: "north", addVehicles: ["lonely", "lonely", "truck 1"] } },
  "an id, and drivers to add": { args: { id: "north", addPersons: ["bert", "bert keller", "dora"] } },
  "vehicles to add": { args: { group: "South", addVehicles: ["truck 1", "truck 2"] } },
  "drivers to add": { args: { group: "South", addPersons: ["anna"], name: "New" } },
  "a list and vehicles to add": { args: { group: "north", addVehicles: ["lonely"], vehicleIds: ["v9"] } },
  "a list and drivers to add": { args: { group: "north", addPersons: ["anna"], personIds: ["p9"] } },
  "a list of vehicles and drivers to add": { args: { group: "north", addPersons: ["anna"], vehicleIds: ["v9"] } },
  "a list of drivers and vehicles to add": { args: { group: "north", addVehicles: ["lonely"], personIds: ["p9"] } },
  "a list of vehicles": { args: { id: "north", vehicleIds: ["v9"] } },
  "a list of drivers": { args: { id: "north", personIds: ["p9"] } },
  "empty lists": { args: { id: "north", vehicleIds: [], personIds: [] }, env: { FLEET_CONFIRM: "auto" }, budgets: [5_000, 200] },
  "names of one letter": {
    args: { group: "G", addVehicles: ["V"], addPersons: ["D"] },
    fleet: [{ assetId: "v1", assetName: "V", assetGroupId: "g1", assetGroupName: "G", driverId: "p1", driverName: "D" }],
  },
  "names of none": { args: { group: "", addVehicles: [""], addPersons: [""] } },
  "a group spelt otherwise": { args: { group: "Norht", name: "New" } },
  "a vehicle spelt otherwise": { args: { group: "north", addVehicles: ["lonley"] } },
  "a driver spelt otherwise": { args: { group: "north", addPersons: ["dora lindt"] } },
  "a group that is not sure": {
    args: { group: "depot", name: "New" },
    fleet: ["East", "West"].map((side) => ({ assetId: side, assetName: side, assetGroupId: side, assetGroupName: `Depot ${side}` })),
  },
  "a vehicle that is not sure": { args: { group: "north", addVehicles: ["truck"] } },
  "a driver that is not sure": { args: { group: "north", addPersons: ["keller"] } },
  "a vehicle without an id": { args: { group: "south", addVehicles: ["crane"] } },
  "a driver without an id": { args: { group: "south", addPersons: ["carl"] } },
  "an id that is none": { args: { id: 1, name: "New" } },
  "an id that is too short": { args: { id: "", name: "New" } },
  "a fleet that cannot be read": { args: { group: "north", name: "New" }, fleet: undefined },
  "a fleet that cannot be read, and an id": {
    args: { id: "north", vehicleIds: ["v9"] },
    fleet: undefined,
    env: { FLEET_CONFIRM: "auto" },
  },
  "no token": { args: { id: "north", name: "New" }, refused: { status: 503, body: {} }, env: { FLEET_AUTH_SCHEMES: "updateGroup=bearer" } },
  "names hidden": { args: { group: "north", addPersons: ["Driver cf4040"] }, env: { FLEET_DRIVER_NAMES: "hide" } },
  "a dry run": { args: { group: "south", addVehicles: ["truck 1"], dryRun: true }, budgets: [5_000, 200] },
  "a dry run of a name": { args: { group: "north", name: "New", parentId: "south", dryRun: true } },
  "a confirmation": {
    args: { group: "south", addVehicles: ["truck 1"], addPersons: ["bert"], name: "", parentId: "north" },
    env: { FLEET_CONFIRM: "auto" },
    budgets: [5_000, 200],
    confirmed: [{ group: "north" }, {}, {}],
  },
  "a person who agrees": {
    args: { group: "south", addVehicles: ["truck 1"] },
    person: { action: "accept", content: { confirm: true } },
    env: { FLEET_CONFIRM: "auto" },
  },
  "a refusal": { args: { id: "north", name: "New" }, answers: [{ status: 409, body: { errorMessage: "Another group has that name" } }] },
  "a long answer": {
    args: { id: "north", vehicleIds: ["v9"] },
    answers: [{ body: { id: "north", name: "x".repeat(300), path: "y".repeat(300), vehicleIds: numbers(100, 4) } }],
    budgets: [5_000, 300, 200],
  },
  "read-only": { args: { id: "north", name: "New" }, env: { FLEET_READ_ONLY: "1" } },
};
