import { LIMITS } from "./limits.ts";
import { exactly, including, NOTHING, plus, type Range } from "./range.ts";
import type { Period, Span } from "./timeline.ts";

/** Driving since the last break of 45 minutes, or of 15 and then 30 minutes (Article 7). */
export interface DrivingSinceBreak {
  driven: Range;
  /** How long the next break must be: 45 minutes, or 30 if the first part is taken. */
  breakNeeded: Range;
}

/** Driving since the last break, by whether the first part of the next has been taken. Both are set if gaps leave this open. */
interface State {
  whole?: Range;
  half?: Range;
}

const { fullBreak, firstBreakPart, secondBreakPart } = LIMITS;

function include(state: State, part: keyof State, driven: Range): void {
  state[part] = including(state[part], driven);
}

/** A rest of a known length that may have been longer, up to the uninterrupted period around it. */
function afterRest({ whole, half }: State, known: number, longest: number): State {
  const next: State = {};
  if (whole) {
    // A part counts only if it is taken between periods of driving.
    const mayBeFirst = longest >= firstBreakPart && whole.atMost > 0;
    const mustBeFirst = known >= firstBreakPart && whole.atLeast > 0;
    if (longest >= fullBreak) include(next, "whole", NOTHING);
    if (known < fullBreak && mayBeFirst) include(next, "half", whole);
    if (known < fullBreak && !mustBeFirst) include(next, "whole", whole);
  }
  if (half) {
    if (longest >= secondBreakPart) include(next, "whole", NOTHING);
    if (known < secondBreakPart) include(next, "half", half);
  }
  return next;
}

/** Anything may have happened in a gap: driving, or a break together with the rest around it. */
function afterGap({ whole, half }: State, length: number, longest: number): State {
  const next: State = {};
  if (whole) include(next, "whole", plus(whole, 0, length));
  if (whole && longest >= firstBreakPart) include(next, "half", plus(whole, 0, length));
  if (half) include(next, "half", plus(half, 0, length));
  if ((whole && longest >= fullBreak) || (half && longest >= secondBreakPart)) {
    include(next, "whole", plus(NOTHING, 0, length));
    include(next, "half", plus(NOTHING, 0, length));
  }
  return next;
}

/** Goes through a timeline. `beside` is where the driver was available beside another, in order: 45 minutes of it are a break (Article 7). */
export function drivingSinceBreak(spans: readonly Span[], beside: readonly Period[]): DrivingSinceBreak {
  let state: State = { whole: NOTHING };
  let next = 0;
  for (const { kind, start, end, run } of spans) {
    const [length, longest] = [end - start, run.end - run.start];
    if (kind === "driving") {
      state = Object.fromEntries(Object.entries(state).map(([part, driven]) => [part, plus(driven, length, length)]));
    }
    if (kind === "rest") state = afterRest(state, length, longest);
    if (kind === "unknown") state = afterGap(state, length, longest);
    if (kind !== "availability") continue;
    while ((beside[next]?.end ?? end) <= start) next++;
    for (let at = next; (beside[at]?.start ?? end) < end; at++) {
      const one = beside[at] as Period;
      if (Math.min(end, one.end) - Math.max(start, one.start) >= fullBreak) state = { whole: NOTHING };
    }
  }
  const { whole, half } = state;
  const driven = whole && half ? including(whole, half) : ((whole ?? half) as Range);
  const breakNeeded = whole && half ? { atLeast: secondBreakPart, atMost: fullBreak } : exactly(half ? secondBreakPart : fullBreak);
  return { driven, breakNeeded };
}
