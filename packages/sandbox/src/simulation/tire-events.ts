import { dayOf, daysPerDate, planDay } from "./day-plan.ts";
import { draw, drawBetween, drawIndex, entry, identifier, topic } from "./random.ts";
import type { Vehicle } from "./roster.ts";

/** A tire sensor's report, in the sandbox's own shape. */
export interface TireEvent {
  readonly id: string;
  /** epoch ms */
  readonly at: number;
  readonly wheel: string;
  readonly kind: "PRESSURE_LOW" | "TEMPERATURE_HIGH" | "PRESSURE_RESTORED";
  readonly pressureKpa: number;
  readonly temperatureCelsius: number;
}

const OCCURS = topic("tire event of a day");
const MOMENT = topic("moment of a tire event");
const WHEEL = topic("wheel of a tire event");
const KIND = topic("kind of a tire event");
const READING = topic("reading of a tire event");
const ID = topic("id of a tire event");

const WHEELS = ["1L", "1R", "2L outer", "2L inner", "2R inner", "2R outer"];
const KINDS = ["PRESSURE_LOW", "TEMPERATURE_HIGH", "PRESSURE_RESTORED"] as const;
/** Length of the history, in days. */
const HISTORY_DAYS = 7;
const DAILY_CHANCE = 0.12;

/** The tire events of a truck or trailer in the week before an instant, oldest first. */
export function tireEvents(vehicle: Vehicle, now: number): TireEvent[] {
  const { asset } = vehicle.model;
  if ((asset !== "TRUCK" && asset !== "TRAILER") || vehicle.soldAt !== undefined) return [];
  const seed = vehicle.serialNumber;
  const today = dayOf(vehicle.duty, now);
  const daily = daysPerDate(vehicle.duty);
  const found: TireEvent[] = [];
  for (let day = today - HISTORY_DAYS * daily; day <= today; day++) {
    if (draw(seed, OCCURS, day) >= DAILY_CHANCE / daily) continue;
    const drives = planDay(vehicle.duty, day).filter((spell) => spell.kind === "drive");
    const drive = drives[drawIndex(drives.length, seed, MOMENT, day)];
    if (!drive) continue;
    const at = drive.start + Math.floor((draw(seed, MOMENT, day, 1) * (drive.end - drive.start)) / 1000) * 1000;
    if (at > now || at < now - HISTORY_DAYS * 86_400_000) continue;
    const kind = entry(KINDS, drawIndex(KINDS.length, seed, KIND, day));
    const pressure = kind === "PRESSURE_LOW" ? drawBetween(520, 680, seed, READING, day) : drawBetween(790, 880, seed, READING, day);
    const temperature =
      kind === "TEMPERATURE_HIGH" ? drawBetween(88, 112, seed, READING, day, 1) : drawBetween(28, 61, seed, READING, day, 1);
    found.push({
      id: identifier(14, seed, ID, day),
      at,
      wheel: entry(WHEELS, drawIndex(WHEELS.length, seed, WHEEL, day)),
      kind,
      pressureKpa: Math.round(pressure),
      temperatureCelsius: Math.round(temperature),
    });
  }
  return found;
}
