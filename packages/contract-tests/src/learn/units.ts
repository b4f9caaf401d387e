import { type OperationName, operations, type TachoActivity, type TachoActivityPage } from "@fleetwire/core";
import {
  ACTIVITIES_PATH,
  DistanceTally,
  DURATION_UNITS,
  type DurationUnit,
  isRecord,
  type ProfileFact,
  parseDateTime,
} from "@fleetwire/core/internal";
import { type FactLearner, Period, type SeenCall } from "./seen-call.ts";

const OPERATION: OperationName = "queryTachoActivity";
/** So few activities may be a coincidence. */
const MIN_COMPARED = 3;
/** The part of activities that may be wrong. */
const MAX_WRONG = 0.02;
/** The part by which a duration may differ from the time between start and end, besides rounding. */
const TOLERANCE = 0.02;

const durationUnits = Object.keys(DURATION_UNITS) as DurationUnit[];

/** Counts which units a duration may have, given the start and the end. */
class DurationTally {
  compared = 0;
  readonly #wrong = new Map<DurationUnit, number>();

  add({ startTime, endTime, duration, inProgress }: TachoActivity): void {
    const [start, end] = [parseDateTime(startTime), parseDateTime(endTime)];
    if (start === undefined || end === undefined || !duration || duration < 0 || inProgress || end - start < 60_000) return;
    this.compared++;
    const seconds = (end - start) / 1000;
    for (const unit of durationUnits) {
      const allowed = seconds * TOLERANCE + DURATION_UNITS[unit] / 2;
      if (Math.abs(duration * DURATION_UNITS[unit] - seconds) > allowed) this.#wrong.set(unit, (this.#wrong.get(unit) ?? 0) + 1);
    }
  }

  /** The only possible unit. */
  get unit(): DurationUnit | undefined {
    const possible = durationUnits.filter((unit) => (this.#wrong.get(unit) ?? 0) <= this.compared * MAX_WRONG);
    return possible.length === 1 && this.compared >= MIN_COMPARED ? possible[0] : undefined;
  }
}

/** The fields of an activity that have the documented type. */
function readable(activity: Readonly<Record<string, unknown>>): TachoActivity {
  const number = (name: string) => {
    const value = activity[name];
    return typeof value === "number" ? { [name]: value } : {};
  };
  const text = (name: string) => (typeof activity[name] === "string" ? { [name]: activity[name] } : {});
  return Object.assign(
    { inProgress: activity["inProgress"] === true },
    ...["duration", "distance", "startLatitude", "startLongitude", "endLatitude", "endLongitude"].map(number),
    ...["startTime", "endTime"].map(text),
  ) as TachoActivity;
}

/** Learns the units of duration and distance of tachograph activities. */
export class Units implements FactLearner {
  readonly #duration = new DurationTally();
  readonly #distance = new DistanceTally();
  readonly #period = new Period();
  readonly #having = { duration: 0, distance: 0 };

  add({ operation, status, body, at }: SeenCall): void {
    if (operation !== OPERATION || status !== 200 || !isRecord(body)) return;
    this.#period.add(at);
    const { data } = body as Partial<TachoActivityPage>;
    for (const { activities } of Array.isArray(data) ? data.filter(isRecord) : [])
      for (const sent of Array.isArray(activities) ? activities : []) {
        if (!isRecord(sent)) continue;
        const activity = readable(sent);
        for (const name of ["duration", "distance"] as const) if (activity[name] !== undefined) this.#having[name]++;
        this.#duration.add(activity);
        this.#distance.add(activity);
      }
  }

  facts(): ProfileFact[] {
    const { unit, compared } = this.#distance.evidence();
    const found = [
      { name: "duration", unit: this.#duration.unit, compared: this.#duration.compared },
      { name: "distance", unit, compared },
    ] as const;
    return found.flatMap((one) =>
      one.unit === undefined
        ? []
        : [
            {
              ...{ fact: "unit" as const, operation: operations[OPERATION].name, path: `${ACTIVITIES_PATH}.${one.name}`, unit: one.unit },
              ...this.#period.evidence(one.compared, this.#having[one.name]),
            },
          ],
    );
  }
}
