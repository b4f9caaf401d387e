/** A pause after which another replica may have taken over and finished a write: as long as a hold on it lasts, in milliseconds. */
const MAX_PAUSE = 6_000;
const TICK = 500;
/** What arrived during a pause is read within this time after it. */
const SETTLE = 1_000;

/** Notices when this process has been paused, such as by SIGSTOP, a frozen container or a moved machine. */
export interface Pauses {
  /** Whether a call may have been received before a pause, by the clock of `performance.now`. */
  hasEndedSince: (receivedAt: number) => boolean;
  close: () => void;
}

export function noticePauses(): Pauses {
  let seenAt = performance.now();
  let endedAt = Number.NEGATIVE_INFINITY;
  const look = () => {
    const now = performance.now();
    if (now - seenAt > MAX_PAUSE) endedAt = now;
    seenAt = now;
  };
  const looking = setInterval(look, TICK).unref();
  return {
    hasEndedSince: (receivedAt) => {
      look();
      return receivedAt < endedAt + SETTLE;
    },
    close: () => clearInterval(looking),
  };
}
