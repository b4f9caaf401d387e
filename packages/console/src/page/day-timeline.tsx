import type { ConsoleVehicle } from "../data/fleet-console.ts";
import { hourOfDay, hours, isTwelveHour, timeOfDay } from "./durations.ts";

type Section = ConsoleVehicle["day"];
type Day = NonNullable<Extract<Section, { value: unknown }>["value"]>;
type Kind = NonNullable<Day["activities"][number]["kind"]>;

const WIDTH = 348;
const HEIGHT = 92;
const TOP = 4;
const BASE = 72;
const HOUR = 3_600_000;

/** Like a tachograph's own printout, activities differ in height, not only in colour. */
const kinds: readonly { kind: Kind; name: string; height: number }[] = [
  { kind: "driving", name: "Driving", height: 1 },
  { kind: "work", name: "Other work", height: 0.68 },
  { kind: "availability", name: "Available", height: 0.44 },
  { kind: "rest", name: "Rest", height: 0.2 },
];
const OTHER = { name: "Unknown", height: 0.2 };

const kindOf = (kind: Kind | undefined) => kinds.find((one) => one.kind === kind) ?? OTHER;

function totals({ activities }: Day) {
  return kinds.map(({ kind, name }) => {
    const sum = activities.reduce((total, activity) => total + (activity.kind === kind ? activity.end - activity.start : 0), 0);
    return { kind, name, sum };
  });
}

/** Hours between the labels of the axis, and how near to its ends none fits. */
const LABELS = { step: isTwelveHour ? 6 : 3, margin: 20 };

/** Hours of the local day at which the axis has a tick, some with a label. */
function ticks({ start, end }: Day): { at: number; label?: string | undefined }[] {
  const first = new Date(start).setMinutes(60, 0, 0);
  const margin = (LABELS.margin / WIDTH) * (end - start);
  return Array.from({ length: Math.floor((end - first) / HOUR) + 1 }, (_, index) => {
    const at = first + index * HOUR;
    const isLabelled = new Date(at).getHours() % LABELS.step === 0 && at - start >= margin && end - at >= margin;
    return { at, label: isLabelled ? hourOfDay(at) : undefined };
  });
}

function Plot({ day }: { day: Day }) {
  const x = (at: number) => ((at - day.start) / (day.end - day.start)) * WIDTH;
  const summary = totals(day)
    .map(({ name, sum }) => `${name} ${hours(sum)}`)
    .join(", ");
  return (
    <svg class="timeline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`Tachograph of the last 24 hours: ${summary}`}>
      {ticks(day).map(({ at, label }) => (
        <g key={at} class={label === undefined ? "tick" : "tick labelled"}>
          <line x1={x(at)} x2={x(at)} y1={TOP} y2={BASE + (label === undefined ? 3 : 6)} />
          {label !== undefined && (
            <text x={x(at)} y={BASE + 17}>
              {label}
            </text>
          )}
        </g>
      ))}
      {day.activities.map(({ kind, word, start, end }) => {
        const { name, height } = kindOf(kind);
        const top = BASE - (BASE - TOP) * height;
        return (
          <rect
            key={`${start} ${word}`}
            class={`activity ${kind ?? "unknown"}`}
            x={x(start)}
            y={top}
            width={Math.max(0.8, x(end) - x(start))}
            height={BASE - top}
          >
            <title>{`${kind ? name : word} ${hours(end - start)}, ${timeOfDay(start)} to ${timeOfDay(end)}`}</title>
          </rect>
        );
      })}
      <line class="axis" x1="0" x2={WIDTH} y1={BASE} y2={BASE} />
    </svg>
  );
}

/** A limit of Regulation (EC) 561/2006, and how much of it has been used. */
function Limit({ name, driven, left }: { name: string; driven: number; left: number }) {
  const limit = driven + left;
  return (
    <div class="limit">
      <span>{name}</span>
      <meter
        min={0}
        max={Math.max(limit, 1)}
        low={limit * 0.75}
        high={limit * 0.9}
        optimum={0}
        value={driven}
        aria-label={`${name}: driven ${hours(driven)} of ${hours(limit)}`}
      />
      <span class="figure">
        {hours(left)} left <small>of {hours(limit)}</small>
      </span>
    </div>
  );
}

/** A chart of what the driver did in the last 24 hours, and what is left of the driving limits. */
export function DayTimeline({ day }: { day: Section }) {
  if ("problem" in day) return <p class="problem">{day.problem}</p>;
  if (!day.value) return <p class="none">No driver, or no tachograph entries.</p>;
  const { time, activities } = day.value;
  return (
    <>
      <Plot day={day.value} />
      <ul class="legend">
        {totals(day.value).map(({ kind, name, sum }) => (
          <li key={kind}>
            <i class={`swatch ${kind}`} /> {name} <b>{hours(sum)}</b>
          </li>
        ))}
      </ul>
      {time && (
        <>
          <Limit name="Before a break" driven={time.sinceBreak.driven.atMost} left={time.sinceBreak.left.atLeast} />
          <Limit name="Today" driven={time.day.driven.atMost} left={time.day.left.atLeast} />
        </>
      )}
      <details class="as-list">
        <summary>As a list</summary>
        <ol>
          {activities.toReversed().map(({ kind, word, start, end }) => (
            <li key={`${start} ${word}`}>
              <time>{timeOfDay(start)}</time> {kind ? kindOf(kind).name : <bdi>{word}</bdi>} {hours(end - start)}
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}
