import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runs } from "./added-operation.ts";
import { writeByHand, writeRows } from "./overlay.ts";
import { TreeCopy } from "./tree-copy.ts";

const SHAPE = "packages/core/src/schemas/trip.ts";
const OPERATION = "packages/core/src/operations/list-trips.ts";
const FIELDS = "packages/core/src/request-fields.ts";

const FIELD_CHECK = { folder: "packages/core", test: "test/registry.test.ts" };
const REQUEST_CHECK = { folder: "packages/core", test: "test/request-fields.test.ts" };
const TABLE_CHECK = { folder: "packages/contract-tests", test: "test/contract-table.test.ts -t agree" };

interface Removal {
  what: string;
  file: string;
  /** What is replaced, everywhere in the file, and by what. */
  from: string | RegExp;
  to: string;
  check: { folder: string; test: string };
  /** What the failure says, the file to open among it. */
  says: RegExp;
}

/** Every protection that an operation states, taken away as somebody would forget it. */
const REMOVALS: readonly Removal[] = [
  {
    what: "private trips withhold nothing",
    file: SHAPE,
    from: /withheld\(((?:text|measure)\((?:[^()]|\([^()]*\))*\))\)/g,
    to: "$1",
    check: FIELD_CHECK,
    says: /Trip\.startAddress: reveals a place.* in packages\/core\/src\/schemas\/trip\.ts/,
  },
  {
    what: "the privacy flag is a plain boolean",
    file: SHAPE,
    from: "GuardingFlag.optional",
    to: "z.boolean().optional",
    check: FIELD_CHECK,
    says: /Trip\.privacy: is a flag that fails open.* in packages\/core\/src\/schemas\/trip\.ts/,
  },
  {
    what: "the driver's name says nothing of itself",
    file: SHAPE,
    from: 'text("person")',
    to: "z.string()",
    check: FIELD_CHECK,
    says: /Trip\.driverName: does not state what it holds.* in packages\/core\/src\/schemas\/trip\.ts/,
  },
  {
    what: "the driver's name passes for a label",
    file: SHAPE,
    from: 'text("person")',
    to: 'text("label")',
    check: FIELD_CHECK,
    says: /Trip\.driverName: holds label.* in packages\/core\/src\/schemas\/trip\.ts/,
  },
  {
    what: "the times of a trip are bare strings",
    file: SHAPE,
    from: "DateTime.optional",
    to: "z.string().optional",
    check: FIELD_CHECK,
    says: /Trip\.startDateTime: does not state what it holds.* in packages\/core\/src\/schemas\/trip\.ts/,
  },
  {
    what: "the times of a trip lose their format",
    file: SHAPE,
    from: "DateTime.optional",
    to: 'text("instant").optional',
    check: TABLE_CHECK,
    says: /core lacks: listTrips 200\.items\[\]\.startDateTime format date-time.* see packages\/core\/src\/operations\/list-trips\.ts/,
  },
  {
    what: "the period that the tool sends has no time zone",
    file: OPERATION,
    from: "UtcInstant.optional",
    to: 'z.string().register(fieldMetadata, { holds: "instant" }).optional',
    check: FIELD_CHECK,
    says: /listTrips, query\.startDate: takes an instant as a plain string.* in packages\/core\/src\/operations\/list-trips\.ts/,
  },
  {
    what: "path parameters are no fields of a request",
    file: FIELDS,
    from: '...from("path", params), ',
    to: "",
    check: REQUEST_CHECK,
    says: /see packages\/core\/src\/request-fields\.ts/,
  },
  {
    what: "a placeholder of the path says nothing of itself",
    file: OPERATION,
    from: "Identifier.describe",
    to: "z.string().describe",
    check: FIELD_CHECK,
    says: /listTrips, path\.vehicleId: does not state what it holds.* in packages\/core\/src\/operations\/list-trips\.ts/,
  },
  {
    what: "a shape is not exported, and its interface has no name",
    file: "packages/core/src/index.ts",
    from: "export { Trip, TripsPage }",
    to: "export { TripsPage }",
    check: { folder: "packages/core", test: "test/generated-interfaces.test.ts" },
    says: /Trip has no name for interfaces to refer to: export it from packages\/core\/src\/index\.ts/,
  },
];

let copy: TreeCopy;

beforeAll(() => {
  copy = new TreeCopy();
  writeByHand(copy);
  writeRows(copy);
  runs(copy, "npm run generate -- types");
}, 300_000);

afterAll(() => copy?.remove());

const vitest = ({ folder, test }: Removal["check"]) => copy.run(`npx vitest run ${test}`, folder);

describe("a protection that is taken away from the trial's operation fails a test that names the file to open", () => {
  it.each([FIELD_CHECK, REQUEST_CHECK, TABLE_CHECK])("and nothing fails before: $test", { timeout: 180_000 }, (check) => {
    const { status, stdout, stderr } = vitest(check);
    expect(status, `${stdout}${stderr}`).toBe(0);
  });

  it.each(REMOVALS)("$what", { timeout: 180_000 }, ({ file, from, to, check, says }) => {
    const whole = copy.read(file);
    const imports = [
      ...(to.includes("z.") && !whole.includes("import * as z") ? ['import * as z from "zod";\n'] : []),
      ...(to.includes("fieldMetadata") ? ['import { fieldMetadata } from "../schemas/field-metadata.ts";\n'] : []),
    ].join("");
    const broken = whole.replaceAll(from, to);
    expect(broken, `${file} has no ${from}`).not.toBe(whole);
    copy.write(file, imports + broken);
    try {
      const { status, stdout, stderr } = vitest(check);
      expect(status).not.toBe(0);
      expect(`${stdout}${stderr}`).toMatch(says);
    } finally {
      copy.write(file, whole);
    }
  });
});
