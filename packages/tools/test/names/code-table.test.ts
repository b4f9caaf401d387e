import { describe, expect, it } from "vitest";
import { CodeTable } from "../../src/names/code-table.ts";
import type { CodeProperty, Entry } from "../../src/names/name-entry.ts";
import { TimeSlices } from "../../src/runtime/time-slices.ts";
import { compact } from "../../src/text/spelling.ts";

interface Thing {
  id?: string;
  plate?: string;
}

const PROPERTIES: CodeProperty<Thing>[] = [
  { by: "id", of: ({ id }) => id },
  { by: "registration", of: ({ plate }) => plate, minPartLength: 4, minSuffixLength: 3 },
];
const [ID, PLATE] = [0, 1];
const LIMIT = 12;

function tableOf(...things: Thing[]) {
  const table = new CodeTable(PROPERTIES, LIMIT);
  const entries = things.map((value) => ({ value }) as Entry<Thing>);
  for (const entry of entries) for (const at of [ID, PLATE]) table.add(at, entry);
  const shown = ({ entry: { value }, by }: { entry: Entry<Thing>; by: string }) => `${by} of ${value.id ?? value.plate}`;
  return {
    table,
    entries,
    written: (text: string) => table.written(compact(text)).map(shown),
    containing: async (text: string) => (await table.containing(text, new TimeSlices())).map(shown),
    near: async (text: string, most: number) => {
      const found: string[] = [];
      await table.visitNear(
        text,
        () => most,
        new TimeSlices(),
        (code) => found.push(shown(code)),
      );
      return found;
    },
  };
}

describe("a table of codes", () => {
  it("finds a code in any case and punctuation, up to the limit, in the order added", () => {
    const { written, table } = tableOf(
      { id: "ab-12" },
      { id: "b", plate: "AB 12" },
      { plate: "Ä 7" },
      { id: "12345678901234" },
      { id: "--" },
      { id: "" },
      {},
    );
    expect(written("AB12")).toEqual(["id of ab-12", "registration of b"]);
    expect(tableOf({ id: "/a:b@c`d{e" }).written("abcde")).toEqual(["id of /a:b@c`d{e"]);
    expect(written("ä7")).toEqual(["registration of Ä 7"]);
    expect(written("123456789012")).toEqual(["id of 12345678901234"]);
    for (const text of ["ab1", "b12", "ab123", "12345678901234", "", "a7b"]) expect(written(text)).toEqual([]);
    expect(
      table.written("ab12").map(({ text, written, minPartLength, minSuffixLength }) => [text, written, minPartLength, minSuffixLength]),
    ).toEqual([
      ["ab12", "ab-12", Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
      ["ab12", "AB 12", 4, 3],
    ]);
  });

  it("finds codes that contain a text", async () => {
    const { containing } = tableOf({ id: "xab12y" }, { id: "b", plate: "AB-12" }, { id: "ab 2 1" }, { id: "a1b2" });
    expect(await containing("ab12")).toEqual(["id of xab12y", "registration of b"]);
    expect(await containing("12y")).toEqual(["id of xab12y"]);
    expect(await containing("z")).toEqual([]);
  });

  it("finds codes that may be near a text: all that are, and few others", async () => {
    const { near } = tableOf({ id: "abcd" }, { id: "abce" }, { id: "xabcdx" }, { id: "wxyz" }, { id: "abcdefgh" });
    expect(await near("abcd", 1)).toEqual(["id of abcd", "id of abce", "id of xabcdx", "id of abcdefgh"]);
    expect(await near("abcd", 0)).toEqual(["id of abcd", "id of xabcdx", "id of abcdefgh"]);
    expect(await near("abcf", 1)).toEqual(["id of abcd", "id of abce"]);
  });

  it("forgets the code that an entity had, and nothing else", () => {
    const { table, entries, written } = tableOf({ id: "a1" }, { id: "a1", plate: "A1" }, { id: "A1" });
    const [first, second, third] = entries as [Entry<Thing>, Entry<Thing>, Entry<Thing>];
    table.remove(ID, second, { id: "other" });
    table.remove(ID, second, {});
    expect(written("a1")).toHaveLength(4);
    table.remove(ID, second, second.value);
    expect(written("a1")).toEqual(["id of a1", "registration of a1", "id of A1"]);
    table.remove(ID, third, third.value);
    table.remove(ID, first, first.value);
    expect(written("a1")).toEqual(["registration of a1"]);
    table.add(ID, first);
    expect(written("a1")).toEqual(["registration of a1", "id of a1"]);
  });

  it("finds each of a thousand codes, also after it has grown, and after every other one has left", () => {
    const things = Array.from({ length: 1_000 }, (_, at) => ({ id: `v${at}`, ...(at % 3 === 0 && { plate: `P ${at}` }) }));
    const { table, entries, written } = tableOf(...things);
    const found = () => things.filter(({ id }) => written(id).length === 1).length;
    expect(found()).toBe(1_000);
    expect(things.filter(({ id, plate }) => plate !== undefined && written(plate)[0] === `registration of ${id}`)).toHaveLength(334);
    for (const entry of entries.filter((_, at) => at % 2 === 0)) table.remove(ID, entry, entry.value);
    expect([found(), written("v10"), written("v11")]).toEqual([500, [], ["id of v11"]]);
    for (const entry of entries.filter((_, at) => at % 2 === 0)) table.add(ID, entry);
    expect(found()).toBe(1_000);
  });
});
