import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runs } from "./added-operation.ts";
import { writeByHand, writeRows } from "./overlay.ts";
import { TreeCopy } from "./tree-copy.ts";

const SHAPE = "packages/core/src/schemas/trip.ts";
const OPERATION = "packages/core/src/operations/list-trips.ts";
const FIELDS = "packages/core/src/request-fields.ts";

const FIELD_CHECK = { folder: "packages/core", test: "test/registry.test.ts" };
const REQUEST_CHECK = { folder: "packages/core", test: "test/request-fields.test.ts" };
const TABLE_CHECK = { folder: "packages/contract-tests", test: "test/contract-table.test.ts -t match" };

interface Removal {
  what: string;
  file: string;
  /** What to replace everywhere in the file, and the replacement. */
  from: string | RegExp;
  to: string;
  check: { folder: string; test: string };
  /** The failure message, including the file to open. */
  says: RegExp;
}

/** Every protection stated by an operation, removed as if forgotten. */
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
    what: "the driver's name has no metadata",
    file: SHAPE,
    from: 'text("person")',
    to: "z.string()",
    check: FIELD_CHECK,
    says: /Trip\.driverName: does not state what it holds.* in packages\/core\/src\/schemas\/trip\.ts/,
  },
  {
    what: "the driver's name is declared as a label",
    file: SHAPE,
    from: 'text("person")',
    to: 'text("label")',
    check: FIELD_CHECK,
    says: /Trip\.driverName: holds label.* in packages\/core\/src\/schemas\/trip\.ts/,
  },
  {
    what: "the times of a trip are plain strings",
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
    what: "the tool's period has no time zone",
    file: OPERATION,
    from: "UtcInstant.optional",
    to: 'z.string().register(fieldMetadata, { holds: "instant" }).optional',
    check: FIELD_CHECK,
    says: /listTrips, query\.startDate: takes an instant as a plain string.* in packages\/core\/src\/operations\/list-trips\.ts/,
  },
  {
    what: "path parameters are not request fields",
    file: FIELDS,
    from: '...from("path", params), ',
    to: "",
    check: REQUEST_CHECK,
    says: /see packages\/core\/src\/request-fields\.ts/,
  },
  {
    what: "a path placeholder has no metadata",
    file: OPERATION,
    from: "Identifier.describe",
    to: "z.string().describe",
    check: FIELD_CHECK,
    says: /listTrips, path\.vehicleId: does not state what it holds.* in packages\/core\/src\/operations\/list-trips\.ts/,
  },
  {
    what: "a shape is not exported, so its interface has no name",
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

describe("removing a protection from the trial's operation fails a test that names the file to open", () => {
  it.each([FIELD_CHECK, REQUEST_CHECK, TABLE_CHECK])("nothing fails beforehand: $test", { timeout: 180_000 }, (check) => {
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
