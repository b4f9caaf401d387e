import { describe, expect, it } from "vitest";
import { readPages, readRecords } from "../../src/client/paginate.ts";
import type { Operation, Paging } from "../../src/operation.ts";

const operation = { name: "listThings" } as Operation;
const byPage: Paging = {
  kind: "page",
  items: "items",
  index: "pageIndex",
  size: "pageSize",
  totalItems: "pagination.totalItems",
  totalPages: "pagination.totalPages",
} as Paging;
const byOffset: Paging = { kind: "offset", items: "data", skip: "skip", totalItems: "count" } as Paging;
const split: Paging = { ...byOffset, split: { by: ["driver", "start"], list: "parts" } } as Paging;

/** Reads the pages, of which the last one repeats, and returns the inputs asked for and what came out. */
async function read(how: typeof readPages, paging: Paging, input: unknown, pages: unknown[]) {
  const inputs: unknown[] = [];
  const found: unknown[] = [];
  let failed: unknown;
  try {
    const ask = async (given: unknown) => {
      inputs.push(given);
      return { data: pages[Math.min(inputs.length, pages.length) - 1], metadata: { status: 200 } as never };
    };
    for await (const one of how(operation, paging, input, ask)) found.push(one);
  } catch (error) {
    failed = error;
  }
  return { inputs, found, failed };
}

const page = (items: unknown, totalPages?: unknown) => ({ items, pagination: { totalPages } });
const positions = (inputs: unknown[], name: string) => inputs.map((input) => (input as Record<string, unknown>)[name]);

describe("pages by index", () => {
  it.each<[string, object, unknown[], number[]]>([
    ["as many as stated", {}, [page([1], 2), page([2], 2), page([3], 2)], [0, 1]],
    ["from a given index", { pageIndex: 3 }, [page([1], 5), page([2], 5), page([3], 5)], [3, 4]],
    ["none stated: until a page is not full", {}, [page([1, 2]), page([3, 4]), page([5]), page([6])], [0, 1, 2]],
    ["none stated: fuller than asked", { pageSize: 1 }, [page([1, 2]), page([])], [0, 1]],
    ["none stated: less than asked", { pageSize: 3 }, [page([1, 2]), page([])], [0, 1]],
    ["none stated: less than the page before", { pageSize: 3 }, [page([1, 2]), page([3])], [0, 1]],
    ["none stated: an empty page", {}, [page([])], [0]],
    ["not a number", {}, [page([1], "9"), page([], "9")], [0, 1]],
    ["a total that shrinks", {}, [page([1], 9), page([2], 1)], [0, 1]],
    ["a total that grows with records", {}, [page([1], 1), page([2], 3)], [0]],
    ["a total that grows before its end", {}, [page([1], 2), page([2], 3), page([3], 3)], [0, 1, 2]],
    ["a total that an empty page cannot raise", {}, [page([1], 3), page([], 9), page([], 9), page([], 9)], [0, 1, 2]],
    ["a total that an empty page can lower", {}, [page([1], 9), page([], 2), page([], 9)], [0, 1]],
    ["an empty page in between", {}, [page([1], 3), page(undefined, 3), page([2], 3)], [0, 1, 2]],
  ])("%s", async (_, input, pages, asked) => {
    const { inputs, found, failed } = await read(readPages, byPage, input, pages);
    expect(failed).toBeUndefined();
    expect(positions(inputs, "pageIndex")).toEqual(asked);
    expect(inputs).toEqual(asked.map((pageIndex) => ({ ...input, pageIndex })));
    expect(found).toEqual(pages.slice(0, asked.length));
  });
});

describe("pages by offset", () => {
  const part = (data: unknown, count?: unknown) => ({ data, count });
  it.each<[string, object, unknown[], number[]]>([
    ["as many as stated", {}, [part([1, 2], 3), part([3], 3)], [0, 2]],
    ["from a given offset", { skip: 4 }, [part([1, 2], 7), part([3], 7)], [4, 6]],
    ["none stated: until an empty page", {}, [part([1, 2]), part([3]), part([])], [0, 2, 3]],
    ["stated, but an empty page", {}, [part([1], 9), part([], 9)], [0, 1]],
    ["all at once", {}, [part([1, 2], 2)], [0]],
  ])("%s", async (_, input, pages, asked) => {
    const { inputs, found, failed } = await read(readPages, byOffset, input, pages);
    expect(failed).toBeUndefined();
    expect(positions(inputs, "skip")).toEqual(asked);
    expect(found).toEqual(pages);
  });
});

it.each([[undefined], [5], [null], [[]]])("the input %j is passed on, or is empty", async (input) => {
  const { inputs } = await read(readPages, byPage, input, [page([])]);
  expect(inputs).toEqual([input === undefined ? { pageIndex: 0 } : input]);
});

describe("a page that comes twice", () => {
  const deep = (leaf: number) => {
    let nested: object = { leaf };
    for (let level = 0; level < 10_000; level++) nested = { nested };
    return { leaf, nested };
  };
  it.each<[string, unknown, unknown, boolean]>([
    ["the same", [{ a: 1 }, 2], [{ a: 1 }, 2], true],
    ["different", [{ a: 1 }], [{ a: 2 }], false],
    ["in another order", ["ab", "cd"], ["cd", "ab"], false],
    ["nested too deeply to compare as a whole", [deep(1)], [deep(1)], true],
    ["nested too deeply, but with other fields", [deep(1)], [deep(2)], false],
    ["empty", [], [], false],
  ])("%s", async (_, first, second, refused) => {
    const { failed } = await read(readPages, byPage, {}, [page(first, 2), page(second, 2)]);
    if (!refused) expect(failed).toBeUndefined();
    else
      expect(failed).toMatchObject({
        code: "contract",
        operation: "listThings",
        status: 200,
        message: "listThings: the service sent the same page twice, so pagination would never end",
      });
  });
});

describe("records", () => {
  const record = (driver: unknown, start: unknown, parts: unknown, more = {}) => ({ driver, start, parts, ...more });
  const two = (last: unknown, first: unknown) => [
    { data: [record("a", 1, [0]), last], count: 3 },
    { data: [first], count: 3 },
  ];
  it.each<[string, Paging, unknown[], unknown[]]>([
    [
      "of all pages",
      byOffset,
      [
        { data: [1, 2], count: 3 },
        { data: [3], count: 3 },
      ],
      [1, 2, 3],
    ],
    [
      "split between pages are merged",
      split,
      two(record("b", 1, [1], { x: 1, y: 1 }), record("b", 1, [2], { y: 2 })),
      [record("a", 1, [0]), record("b", 1, [1, 2], { x: 1, y: 2 })],
    ],
    [
      "with other keys are not",
      split,
      two(record("b", 1, [1]), record("b", 2, [2])),
      [record("a", 1, [0]), record("b", 1, [1]), record("b", 2, [2])],
    ],
    ["without keys are not", split, two({ parts: [1] }, { parts: [2] }), [record("a", 1, [0]), { parts: [1] }, { parts: [2] }]],
    [
      "with one of two keys are",
      split,
      two({ driver: "b", parts: [1] }, { driver: "b", parts: [2] }),
      [record("a", 1, [0]), { driver: "b", parts: [1, 2] }],
    ],
    ["of which one has no list", split, two(record("b", 1, undefined), record("b", 1, [2])), [record("a", 1, [0]), record("b", 1, [2])]],
    [
      "of which only the first has a list",
      split,
      two(record("b", 1, [2]), record("b", 1, undefined)),
      [record("a", 1, [0]), record("b", 1, [2])],
    ],
    ["of which none has a list", split, two({ driver: "b" }, { driver: "b", x: 1 }), [record("a", 1, [0]), { driver: "b", x: 1 }]],
    [
      "with the same keys on one page are not merged",
      split,
      [{ data: [record("b", 1, [1]), record("b", 1, [2])], count: 2 }],
      [record("b", 1, [1]), record("b", 1, [2])],
    ],
  ])("%s", async (_, paging, pages, records) => {
    const { found, failed } = await read(readRecords, paging, {}, pages);
    expect(failed).toBeUndefined();
    expect(found).toEqual(records);
    expect(found.map((one) => Object.keys(one as object))).toEqual(records.map((one) => Object.keys(one as object)));
  });
});
