import { FleetError } from "@fleetwire/core";
import { unref } from "../runtime/call-deadline.ts";
import type { FleetReader } from "./fleet-reader.ts";
import type { Position } from "./position.ts";

/** Bounds the work per refresh. */
const MAX_WATCHES = 500;

/** Seconds between two checks of the fleet if caching is off. */
const DEFAULT_INTERVAL = 5;
const MAX_BACKOFF = 60_000;

interface Watch {
  assetId: string;
  /** The vehicle as last seen; undefined while it is not in the fleet. */
  position: Position | undefined;
  onChange: () => void;
}

/** Reports changes of vehicles in the live view, which is refreshed while anything is watched. The view is masked, so nothing else is compared. */
export class VehicleWatches {
  readonly #reader: FleetReader;
  /** Milliseconds between two checks. */
  readonly #interval: number;
  readonly #watches = new Set<Watch>();
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #reading: AbortController | undefined;

  constructor(reader: FleetReader, snapshotSeconds: number) {
    this.#reader = reader;
    this.#interval = (snapshotSeconds || DEFAULT_INTERVAL) * 1000;
  }

  /** Calls `onChange` after each change of a vehicle until the signal fires. */
  add(position: Position, onChange: () => void, signal: AbortSignal): void {
    const { assetId } = position;
    if (!assetId) throw new FleetError("contract", "the vehicle has no id, so its changes cannot be recognized");
    if (this.#watches.size >= MAX_WATCHES) {
      throw new FleetError("rateLimited", `${MAX_WATCHES} vehicles are being watched already, which is the maximum`, {
        advice: "End a subscription that is no longer needed, then try again",
      });
    }
    if (signal.aborted) throw new FleetError("aborted", "the caller aborted the call");
    const watch: Watch = { assetId, position, onChange };
    this.#watches.add(watch);
    signal.addEventListener("abort", () => this.#remove(watch), { once: true });
    if (this.#watches.size === 1) this.#schedule();
  }

  #remove(watch: Watch): void {
    this.#watches.delete(watch);
    if (this.#watches.size > 0) return;
    clearTimeout(this.#timer);
    this.#reading?.abort();
    this.#failures = 0;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), Math.min(this.#interval * 2 ** this.#failures, Math.max(this.#interval, MAX_BACKOFF)));
    unref(this.#timer);
  }

  async #look(): Promise<void> {
    const reading = new AbortController();
    this.#reading = reading;
    let isFailing = false;
    try {
      const { view, failure } = await this.#reader.read({ signal: reading.signal });
      isFailing = failure !== undefined;
      for (const watch of this.#watches) this.#compare(watch, view.vehicles.get(watch.assetId)?.value);
    } catch {
      // Subscribers are notified only of changes; reading the vehicle reveals why it cannot be read.
      isFailing = true;
    }
    if (reading.signal.aborted || this.#watches.size === 0) return;
    this.#failures = isFailing ? this.#failures + 1 : 0;
    this.#schedule();
  }

  #compare(watch: Watch, position: Position | undefined): void {
    // The view replaces a record only if it differs.
    if (watch.position === position) return;
    watch.position = position;
    watch.onChange();
  }
}
