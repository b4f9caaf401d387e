import { seededRandom } from "../../../tests/vitest/seeded-random.ts";
/** A response of a fake fetch with real bodies and streams but no network, so that 100,000 take about a minute. */
export interface CannedAnswer {
  status?: number;
  headers?: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer>;
  /** Size of a chunk in bytes; the whole body by default. */
  piece?: number;
  /** Whether the connection breaks after the body. */
  breaks?: boolean;
}

function streamOf({ body, piece = Number.POSITIVE_INFINITY, breaks = false }: CannedAnswer): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) {
        controller.enqueue(bytes.subarray(at, at + piece));
        at += piece;
      } else if (breaks) {
        controller.error(new TypeError("terminated"));
      } else {
        controller.close();
      }
    },
  });
}

/** A fetch that responds to each request with the result of `answer`. */
export function cannedFetch(answer: (url: string) => CannedAnswer): typeof fetch {
  return async (url) => {
    const canned = answer(String(url));
    const { status = 200, headers = {} } = canned;
    const empty = status === 204 || status === 205 || status === 304;
    return new Response(empty ? null : streamOf(canned), { status, headers });
  };
}

/** Draws that depend on the seed only. */
export function chance(seed: number) {
  const draw = seededRandom(seed);
  const below = (limit: number) => Math.floor(draw() * limit);
  return { below, pick: <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item };
}

export type Chance = ReturnType<typeof chance>;

const encoder = new TextEncoder();
const TELLING = ["null", "true", "\u00e9", "\u{1f69a}", "\ufeff", "\\u00e9", "9007199254740993", ...'[]{},:"\\ \n0-e'];

/** Applies one mutation: a random byte, a part removed, repeated or moved, or a JSON token inserted. */
export function mutate(bytes: Uint8Array<ArrayBuffer>, { below, pick }: Chance): Uint8Array<ArrayBuffer> {
  const at = below(bytes.length + 1);
  const upTo = Math.min(bytes.length, at + below(pick([2, 8, 200])));
  const [head, part, tail] = [bytes.subarray(0, at), bytes.subarray(at, upTo), bytes.subarray(upTo)];
  const inserted = pick([encoder.encode(pick(TELLING)), new Uint8Array([below(256)])]);
  const parts = pick([[head, inserted, tail], [head, inserted, part, tail], [head, tail], [head, part, part, tail], [head], [tail, head]]);
  return Uint8Array.from(parts.flatMap((each) => [...each]));
}
