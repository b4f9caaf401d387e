/** A section of a drive at one cruising speed. */
export interface Block {
  readonly km: number;
  /** km/h */
  readonly cruise: number;
  /** How far traffic makes the speed oscillate, as a fraction of the cruising speed, and the period in s. */
  readonly swing: number;
  readonly swingSeconds: number;
}

interface Phase {
  readonly startMs: number;
  readonly startKm: number;
  readonly ms: number;
  readonly from: number;
  readonly to: number;
  readonly swing: number;
  readonly periodMs: number;
}

/** Speed over time: ramps and gently oscillating cruises, with the distance of each in closed form. */
export interface SpeedProfile {
  readonly phases: readonly Phase[];
  readonly km: number;
  readonly ms: number;
}

const HOUR_MS = 3_600_000;

const rampMs = (from: number, to: number, pull: number) => (Math.abs(to - from) / pull) * 1000;
const rampKm = (from: number, to: number, pull: number) => (((from + to) / 2) * rampMs(from, to, pull)) / HOUR_MS;

/** Lowers the cruising speed of blocks that are too short to reach it. */
function reachable(blocks: readonly Block[], pull: number): Block[] {
  const lowered = [...blocks];
  for (let round = 0; round < 40; round++) {
    const tight = lowered.findIndex((block, at) => {
      const before = lowered[at - 1]?.cruise ?? 0;
      const after = lowered[at + 1]?.cruise ?? 0;
      const ramps =
        (before < block.cruise ? rampKm(before, block.cruise, pull) : 0) + (after < block.cruise ? rampKm(block.cruise, after, pull) : 0);
      return ramps > block.km * 0.9;
    });
    const block = lowered[tight];
    if (!block) break;
    lowered[tight] = { ...block, cruise: block.cruise * 0.8 };
  }
  return lowered;
}

/**
 * Plans the speed of a drive over blocks of road, from standstill to standstill.
 * `pull` is the vehicle's acceleration, in km/h per s.
 */
export function speedProfile(road: readonly Block[], pull: number): SpeedProfile {
  const blocks = reachable(road, pull);
  const phases: Phase[] = [];
  let ms = 0;
  let km = 0;
  const add = (length: number, phaseMs: number, from: number, to: number, swing: number, swingSeconds: number) => {
    const periodMs = phaseMs / Math.max(1, Math.round(phaseMs / (swingSeconds * 1000)));
    phases.push({ startMs: ms, startKm: km, ms: phaseMs, from, to, swing, periodMs });
    ms += phaseMs;
    km += length;
  };
  for (const [at, block] of blocks.entries()) {
    const before = blocks[at - 1]?.cruise ?? 0;
    const after = blocks[at + 1]?.cruise ?? 0;
    const up = before < block.cruise ? rampKm(before, block.cruise, pull) : 0;
    const down = after < block.cruise ? rampKm(block.cruise, after, pull) : 0;
    const cruiseKm = block.km - up - down;
    if (up > 0) add(up, rampMs(before, block.cruise, pull), before, block.cruise, 0, 60);
    add(cruiseKm, (cruiseKm / block.cruise) * HOUR_MS, block.cruise, block.cruise, block.swing, block.swingSeconds);
    if (down > 0) add(down, rampMs(block.cruise, after, pull), block.cruise, after, 0, 60);
  }
  return { phases, km, ms };
}

/** Distance in km and speed in km/h, some ms after departure. */
export function driven(profile: SpeedProfile, ms: number): { readonly km: number; readonly speed: number } {
  if (ms <= 0) return { km: 0, speed: 0 };
  if (ms >= profile.ms) return { km: profile.km, speed: 0 };
  let at = profile.phases.length - 1;
  while (at > 0 && (profile.phases[at] as Phase).startMs > ms) at--;
  const phase = profile.phases[at] as Phase;
  const inside = ms - phase.startMs;
  const turn = (2 * Math.PI * inside) / phase.periodMs;
  const steady = (phase.from * inside + ((phase.to - phase.from) * inside * inside) / (2 * phase.ms)) / HOUR_MS;
  const swung = (phase.from * phase.swing * (1 - Math.cos(turn)) * phase.periodMs) / (2 * Math.PI * HOUR_MS);
  const speed = phase.from + ((phase.to - phase.from) * inside) / phase.ms + phase.from * phase.swing * Math.sin(turn);
  return { km: phase.startKm + steady + swung, speed };
}
