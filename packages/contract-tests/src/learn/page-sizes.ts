import { type Operation, type OperationName, operations } from "@fleetwire/core";
import { type ProfileFact, valueAt } from "@fleetwire/core/internal";
import { entryOf, type FactLearner, Period, type SeenCall } from "./seen-call.ts";

function whole(value: unknown): number | undefined {
  const number = typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

interface Sizes {
  pages: number;
  largest: number;
  /** How often each size was observed. */
  default: Map<number, number>;
  maximum: Map<number, number>;
  period: Period;
}

/** Learns how many records a page has if none or too many are requested. */
export class PageSizes implements FactLearner {
  readonly #sizes = new Map<OperationName, Sizes>();

  add({ operation, status, input, body, at }: SeenCall): void {
    const { paging }: Operation = operations[operation];
    const items = paging && valueAt(paging.items, body);
    if (!paging || status !== 200 || !Array.isArray(items)) return;
    const create = () => ({ pages: 0, largest: 0, default: new Map(), maximum: new Map(), period: new Period() });
    const sizes = entryOf(this.#sizes, operation, create);
    sizes.pages++;
    sizes.largest = Math.max(sizes.largest, items.length);
    sizes.period.add(at);
    const requested = whole(input[paging.kind === "page" ? paging.size : paging.limit]);
    const stated = paging.kind === "page" && paging.pageSize !== undefined ? whole(valueAt(paging.pageSize, body)) : undefined;
    const index = whole(input[paging.kind === "page" ? paging.index : paging.skip]) ?? 0;
    const total = whole(valueAt(paging.totalItems, body)) ?? 0;
    const skipped = paging.kind === "page" ? index * (stated ?? requested ?? 0) : index;
    // Only a page that others follow is full.
    const full = items.length > 0 && skipped + items.length < total ? items.length : undefined;
    const size = full ?? (stated !== undefined && stated >= items.length ? stated : undefined);
    if (size === undefined || size < 1) return;
    if (requested === undefined) sizes.default.set(size, (sizes.default.get(size) ?? 0) + 1);
    else if (size < requested) sizes.maximum.set(size, (sizes.maximum.get(size) ?? 0) + 1);
  }

  facts(): ProfileFact[] {
    return [...this.#sizes].flatMap(([operation, { pages, largest, period, ...observed }]) =>
      (["default", "maximum"] as const).flatMap((which) => {
        const [only, ...others] = observed[which];
        // Sizes that contradict each other are no fact, nor is a maximum that some page exceeds.
        if (!only || others.length > 0 || (which === "maximum" && largest > only[0])) return [];
        return [{ fact: "pageSize" as const, operation, which, size: only[0], ...period.evidence(only[1], pages) }];
      }),
    );
  }
}
