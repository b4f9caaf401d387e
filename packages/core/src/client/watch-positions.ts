import { FleetError } from "../errors.ts";
import { notify } from "../notify.ts";
import type { ListLivePositionsInput } from "../operations/inputs.generated.ts";
import { LivePosition } from "../schemas/live-position.ts";
import type * as shapes from "../schemas/shapes.generated.ts";
import type { CallOptions, OptionalInputListMethod } from "./operation-method.ts";
import { type PositionChange, PositionChanges } from "./position-changes.ts";
import { isSignal, isTransient } from "./retry-policy.ts";
import { failureToError, onAbort, sleep } from "./transport.ts";

/** A failed read, after which the positions are read again. */
export interface WatchFailure {
  /** Why the read failed. */
  error: FleetError;
  /** Number of reads that have failed in a row. */
  failures: number;
  /** Milliseconds until the next read. */
  delay: number;
}

/** Options of `watchPositions`. `timeout`, `retries` and `totalTimeout` apply to each read. */
export interface WatchOptions extends Omit<CallOptions, "write"> {
  /** Ends the loop with `aborted`. */
  signal?: AbortSignal | undefined;
  /**
   * Seconds from the end of one read to the start of the next, from 1 to 86,400.
   *
   * @default 10
   */
  intervalSeconds?: number | undefined;
  /**
   * The fields in which a difference counts as a change, such as `["date"]`.
   *
   * @default all fields, including undocumented ones
   */
  fields?: readonly (keyof shapes.LivePosition)[] | undefined;
  /**
   * Whether the vehicles of the first complete list are yielded as `added`. Otherwise, that list yields nothing.
   *
   * @default true
   */
  includeInitial?: boolean | undefined;
  /**
   * Holds every record in memory, so that a change has `previous`, and a removal the last record.
   *
   * @default false
   */
  withPrevious?: boolean | undefined;
  /**
   * Seconds for which reads may fail in a row before the loop ends with the last error. With 0, it ends with the first.
   *
   * @default 900
   */
  maxOutageSeconds?: number | undefined;
  /** Called after each failed read that is followed by another one. Whatever it throws is ignored. */
  onFailure?: ((failure: WatchFailure) => void) | undefined;
}

/** Yields changes in the list of live positions until the loop is left. */
export type WatchPositions = (input?: ListLivePositionsInput, options?: WatchOptions) => AsyncGenerator<PositionChange, void, void>;

const OPERATION = "listLivePositions";

const DEFAULT_INTERVAL = 10;
const [MIN_INTERVAL, MAX_INTERVAL] = [1, 86_400];
const DEFAULT_MAX_OUTAGE = 900;
const MAX_BACKOFF = 60_000;

type Settings = ReturnType<typeof settingsOf>;

const OPTIONS = [
  "intervalSeconds",
  "fields",
  "includeInitial",
  "withPrevious",
  "maxOutageSeconds",
  "onFailure",
  "signal",
  "timeout",
  "retries",
  "totalTimeout",
] as const satisfies (keyof WatchOptions)[];

function settingsOf(input: ListLivePositionsInput | undefined, options: WatchOptions) {
  const { intervalSeconds = DEFAULT_INTERVAL, maxOutageSeconds = DEFAULT_MAX_OUTAGE, fields = [], includeInitial = true, signal } = options;
  const isKnown = Array.isArray(fields) && fields.every((field) => Object.hasOwn(LivePosition.shape, field));
  const misplaced = OPTIONS.filter((name) => Object.hasOwn(input ?? {}, name));
  const problems = [
    ...misplaced.map((name) => `${name} is an option, and belongs in the second argument`),
    ...(intervalSeconds >= MIN_INTERVAL && intervalSeconds <= MAX_INTERVAL
      ? []
      : [`intervalSeconds must be from ${MIN_INTERVAL} to ${MAX_INTERVAL}`]),
    ...(maxOutageSeconds >= 0 ? [] : ["maxOutageSeconds must be 0 or more"]),
    ...(isKnown ? [] : ["fields must be a list of fields of a live position"]),
    ...(signal == null || isSignal(signal) ? [] : ["signal must be an AbortSignal"]),
  ];
  if (problems.length === 0) return { ...options, intervalSeconds, maxOutageSeconds, includeInitial };
  throw new FleetError("input", `watchPositions: ${problems.join("; ")}`, {
    operation: OPERATION,
    advice: "Fix the options; nothing was sent",
  });
}

/** Counts the failed reads in a row, and decides when to read again. */
class Outage {
  readonly #settings: Settings;
  readonly #random: () => number;
  #failures = 0;
  #since = 0;

  constructor(settings: Settings, random: () => number) {
    this.#settings = settings;
    this.#random = random;
  }

  /** Milliseconds until the next read. Throws the error if there should be none. */
  delayAfter(error: FleetError): number {
    const { intervalSeconds, maxOutageSeconds, onFailure } = this.#settings;
    const interval = intervalSeconds * 1000;
    const now = performance.now();
    if (this.#failures++ === 0) this.#since = now;
    const backoff = Math.min(MAX_BACKOFF, interval * 2 ** this.#failures) * (0.5 + this.#random() / 2);
    const delay = Math.max(interval, backoff, error.retryAfter ?? interval);
    if (now - this.#since + delay > maxOutageSeconds * 1000) throw error;
    notify(onFailure, { error, failures: this.#failures, delay });
    return delay;
  }
}

async function* changesIn(
  read: OptionalInputListMethod<ListLivePositionsInput, shapes.LivePosition>["iterate"],
  input: ListLivePositionsInput | undefined,
  settings: Settings,
  signal: AbortSignal,
  random: () => number,
): AsyncGenerator<PositionChange, void, void> {
  const { intervalSeconds, includeInitial, timeout, retries, totalTimeout } = settings;
  const options: CallOptions = { timeout, retries, totalTimeout, signal };
  const changes = new PositionChanges(settings.fields, settings.withPrevious);
  let outage = new Outage(settings, random);
  for (let isInitial = true; ; ) {
    const isShown = includeInitial || !isInitial;
    let delay = intervalSeconds * 1000;
    changes.begin();
    try {
      for await (const record of read(input, options)) {
        const change = changes.add(record);
        if (change && isShown) yield change;
      }
      for (const change of changes.end()) if (isShown) yield change;
      isInitial = false;
      outage = new Outage(settings, random);
    } catch (error) {
      // Before the first complete list, the configuration may be wrong.
      if (!(error instanceof FleetError) || !isTransient(error) || isInitial) throw error;
      delay = outage.delayAfter(error);
    }
    await sleep(delay, signal, OPERATION);
  }
}

/** Creates `watchPositions` on top of the streamed list. */
export function positionWatcher(
  read: OptionalInputListMethod<ListLivePositionsInput, shapes.LivePosition>["iterate"],
  random: () => number,
): WatchPositions {
  return (input, options) => {
    const stop = new AbortController();
    let isLeft = false;
    async function* watch(): AsyncGenerator<PositionChange, void, void> {
      const settings = settingsOf(input, options ?? {});
      const { signal } = settings;
      if (signal?.aborted) throw failureToError("aborted", OPERATION);
      const ignoreSignal = onAbort(signal, () => stop.abort());
      try {
        yield* changesIn(read, input, settings, stop.signal, random);
      } catch (error) {
        if (!isLeft) throw error;
      } finally {
        ignoreSignal();
      }
    }
    const changes = watch();
    // By itself, a generator would finish waiting before it returns.
    const { return: leave } = changes;
    changes.return = (value) => {
      isLeft = true;
      stop.abort();
      return leave.call(changes, value);
    };
    return changes;
  };
}
