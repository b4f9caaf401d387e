import type { LivePosition } from "@fleetwire/core";
import { describe, expect, it } from "vitest";
import { at, brief, eventsOf, type OtherLists, PARIS, type Poll, type Rule, van } from "./watched-polls.ts";

const level = (percent: number) => ({ electricBatteryLevelPercent: percent });

describe("a watch of positions reports", () => {
  it.each<[what: string, rule: object, polls: Poll[], events: string[]]>([
    [
      "a low battery again once it was charged",
      { when: "batteryBelow", percent: 20 },
      [
        [0, [van(0, level(30))]],
        [1, [van(1, level(19))]],
        [2, [van(2, level(26))]],
        [3, [van(3, level(18))]],
      ],
      ["08:01 Van 1 (v1) has less than 20% battery", "08:03 Van 1 (v1) has less than 20% battery"],
    ],
    [
      "no second event within the cool-down",
      { when: "batteryBelow", percent: 20, coolDownMinutes: 5 },
      [
        [0, [van(0, level(30))]],
        [1, [van(1, level(19))]],
        [2, [van(2, level(26))]],
        [3, [van(3, level(18))]],
        [4, [van(4, level(26))]],
        [7, [van(7, level(18))]],
      ],
      ["08:01 Van 1 (v1) has less than 20% battery", "08:07 Van 1 (v1) has less than 20% battery"],
    ],
    [
      "nothing once the rule has ended",
      { when: "batteryBelow", percent: 20, until: at(1) },
      [
        [0, [van(0, level(30))]],
        [2, [van(2, level(19))]],
      ],
      [],
    ],
    [
      "nothing of a level that is not one",
      { when: "batteryBelow", percent: 20 },
      [
        [0, [van(0, level(30))]],
        [1, [van(1)]],
        [2, [van(2, { fuelLevelPercentage: 5 })]],
      ],
      [],
    ],
    [
      "silence once, and again after a record",
      { when: "silent", forMinutes: 5 },
      [0, 2, 4, 6, 8, 9, 10, 12, 14, 16].map((minute): Poll => [minute, [van(minute < 9 ? 0 : 9, PARIS)]]),
      ["08:05 Van 1 (v1) has sent nothing for 5 min", "08:14 Van 1 (v1) has sent nothing for 5 min"],
    ],
    [
      "an arrival that lasts, not one that passes by",
      { when: "arrives", at: { lat: 48.85, lng: 2.35, radiusMetres: 300 }, forMinutes: 3 },
      [
        [0, [van(0, { ...PARIS, latitude: 48.9 })]],
        [1, [van(1, PARIS)]],
        [2, [van(2, { ...PARIS, latitude: 48.9 })]],
        [4, [van(4, PARIS)]],
        [6, [van(4, PARIS)]],
        [8, [van(4, PARIS)]],
      ],
      ["08:07 Van 1 (v1) arrived at 48.85, 2.35 (within 300 m)"],
    ],
  ])("%s", async (_, rule, polls, events) => {
    expect(brief(await eventsOf([rule as Rule], polls))).toEqual(events);
  });
});

describe("a vehicle that appears after the watch has begun", () => {
  const other = (minute: number, more: LivePosition = {}): LivePosition => ({ ...van(minute, more), assetId: "v3", assetName: "Van 3" });
  it.each<[what: string, rule: object, record: LivePosition, events: string[]]>([
    ["with little fuel", { when: "fuelBelow", percent: 20 }, { fuelLevelPercentage: 9 }, ["08:02 Van 3 (v3) has less than 20% fuel"]],
    ["with a low battery", { when: "batteryBelow", percent: 20 }, level(9), ["08:02 Van 3 (v3) has less than 20% battery"]],
    ["too fast", { when: "speedOver", kmh: 90 }, { speed: 120 }, ["08:02 Van 3 (v3) drove faster than 90 km/h"]],
    [
      "silent for a day",
      { when: "silent", forMinutes: 60 },
      { date: at(-24 * 60) },
      ["09:00 Van 3 (v3) has sent nothing for 1 h 00 min (late)"],
    ],
    // Nobody knows when these began.
    ["in a place", { when: "arrives", at: { lat: 48.85, lng: 2.35, radiusMetres: 300 } }, PARIS, []],
    ["driving", { when: "starts" }, { eventType: "driving", speed: 50 }, []],
    ["with a fault", { when: "faultBegins" }, { activeFaultCodes: ["P1"] }, []],
    ["on a private journey", { when: "becomesPrivate" }, { privacy: true }, []],
  ])("%s", async (_, rule, record, expected) => {
    const polls = [0, 1, 2, 3].map((minute): Poll => [minute, [van(minute), ...(minute < 2 ? [] : [other(minute, record)])]]);
    expect(brief(await eventsOf([rule as Rule], polls))).toEqual(expected);
  });
});

const fault = (code: string, lamps: string[], inProgress = true) => ({ code, inProgress, startDate: at(0), details: { lamps } });
const faults = (...list: object[]): OtherLists => ({ faults: [{ id: "v1", faults: list }] });

/** Rests before `from`, in minutes of the watch, and has driven since. */
const drivesSince = (from: number, more: object[] = []): OtherLists => ({
  entries: [
    {
      driverId: "d1",
      driverKey: "DF00000000000100",
      activities: [
        { activity: "REST", startTime: at(-20 * 24 * 60), endTime: at(from) },
        ...(more.length > 0 ? more : [{ activity: "DRIVING", startTime: at(from), inProgress: true }]),
      ],
    },
  ],
});
const job = (more: object): OtherLists => ({
  jobs: [{ jobNumber: "J1", vehicleId: "v1", eta: at(60), arrivalWindowEnd: at(90), ...more }],
});

/** Every ten minutes, since lists other than the positions are read less often. */
const every10 = (...lists: OtherLists[]): Poll[] => lists.map((others, index) => [index * 10, [van(index * 10, PARIS)], others]);

describe("a watch of other lists reports", () => {
  it.each<[what: string, rule: object, polls: Poll[], events: string[]]>([
    [
      "a fault with a red lamp that begins",
      { when: "faultBegins", lamp: "red" },
      every10(faults(), faults(fault("P1", ["AMBER"])), faults(fault("P1", ["AMBER"]), fault("P2", ["RED_STOP"]))),
      ["08:20 Van 1 (v1) has a new fault P2"],
    ],
    [
      "a fault by its code, not one that has ended",
      { when: "faultBegins", code: "p2", lamp: "red" },
      every10(faults(), faults(fault("P1", ["RED_STOP"]), fault("P2", ["RED_STOP"], false)), faults(fault("P2", ["RED_STOP"]))),
      ["08:20 Van 1 (v1) has a new fault P2"],
    ],
    [
      "that a break is due",
      { when: "breakDueIn", minutes: 60, driver: "Ana Silva" },
      every10(drivesSince(-195), drivesSince(-195), drivesSince(-195), drivesSince(-195)),
      ["08:20 Ana Silva needs a break after less than 1 h 00 min of driving"],
    ],
    [
      "that little driving is left today",
      { when: "driveTimeLeftBelow", minutes: 330 },
      every10(drivesSince(-195), drivesSince(-195), drivesSince(-195), drivesSince(-195)),
      ["08:20 Ana Silva may have less than 5 h 30 min of driving left today"],
    ],
    [
      "that the shift has to end",
      { when: "shiftEnds", withinMinutes: 690 },
      every10(drivesSince(-195), drivesSince(-195), drivesSince(-195), drivesSince(-195)),
      ["08:20 Ana Silva must begin the daily rest within 11 h 30 min"],
    ],
    ...[
      { when: "breakDueIn", minutes: 60 },
      { when: "driveTimeLeftBelow", minutes: 330 },
    ].map((rule): [string, object, Poll[], string[]] => [
      `nothing that only driving since the last sign of life could have changed: ${rule.when}`,
      rule,
      [0, 20, 40, 120].map((minute): Poll => [minute, [van(0, PARIS)], drivesSince(-195)]),
      [],
    ]),
    [
      "nothing about a driver at rest",
      { when: "shiftEnds", withinMinutes: 690 },
      every10(...[0, 1, 2].map(() => drivesSince(-195, [{ activity: "REST", startTime: at(-195), inProgress: true }]))),
      [],
    ],
    [
      "that a job will be late, once",
      { when: "jobLate", vehicle: "Van 1" },
      every10(job({}), job({ eta: at(95) }), job({ eta: at(99) })),
      ["08:10 Job J1 is expected after the arrival window"],
    ],
    [
      "a job that is late when it is first listed",
      { when: "jobLate" },
      every10({ jobs: [] }, job({ eta: at(95) })),
      ["08:10 Job J1 is expected after the arrival window"],
    ],
    [
      "a job whose eta is stated later than the job, and is then late",
      { when: "jobLate" },
      every10(job({ eta: undefined }), job({ eta: undefined }), job({ eta: at(95) }), job({ eta: undefined }), job({ eta: at(99) })),
      ["08:20 Job J1 is expected after the arrival window"],
    ],
    [
      "a job of a service whose ids are numbers",
      { when: "jobLate" },
      every10(job({ jobId: 7, jobNumber: 12 }), job({ jobId: 7, jobNumber: 12, eta: at(95) })),
      ["08:10 Job 12 is expected after the arrival window"],
    ],
    [
      "a job that is late, on time and late again, and whose window changes",
      { when: "jobLate" },
      every10(
        job({}),
        job({ eta: at(95) }),
        job({ eta: at(80) }),
        job({ eta: at(95) }),
        job({ eta: at(95), arrivalWindowEnd: at(120) }),
        job({ eta: at(125), arrivalWindowEnd: at(120) }),
      ),
      [10, 30, 50].map((minute) => `08:${minute} Job J1 is expected after the arrival window`),
    ],
    [
      "a late job once, though it is missing for a while",
      { when: "jobLate" },
      every10(job({}), job({ eta: at(95) }), { jobs: [] }, job({ eta: at(96) })),
      ["08:10 Job J1 is expected after the arrival window"],
    ],
    ...["constructor", "__proto__", "toString"].map((jobNumber): [string, object, Poll[], string[]] => [
      `a job called ${jobNumber}`,
      { when: "jobLate" },
      every10(job({ jobNumber }), job({ jobNumber, eta: at(95) }), job({ jobNumber, eta: at(96) })),
      [`08:10 Job ${jobNumber} is expected after the arrival window`],
    ]),
    ["nothing of a job that is late when the watch begins", { when: "jobLate" }, every10(job({ eta: at(95) }), job({ eta: at(99) })), []],
    [
      "a late job that is given to the vehicle of the rule",
      { when: "jobLate", vehicle: "Van 1" },
      every10(job({ vehicleId: "v9", eta: at(95) }), job({ eta: at(95) })),
      ["08:10 Job J1 is expected after the arrival window"],
    ],
    [
      "little driving left of a driver who appears",
      { when: "driveTimeLeftBelow", minutes: 330 },
      [0, 10, 20, 30].map(
        (minute): Poll => [
          minute,
          [van(minute, { ...PARIS, ...(minute < 20 && { driverId: undefined, driverName: undefined }) })],
          drivesSince(-240),
        ],
      ),
      ["08:20 Ana Silva may have less than 5 h 30 min of driving left today"],
    ],
    ["nothing of a job that was visited", { when: "jobLate" }, every10(job({}), job({ eta: at(95), status: "VISITED" })), []],
    [
      "nothing of another vehicle's job",
      { when: "jobLate", vehicle: "Van 1" },
      every10(job({}), job({ eta: at(95), vehicleId: "v9" })),
      [],
    ],
    [
      "nothing of jobs without both times",
      { when: "jobLate" },
      every10(job({}), job({ eta: undefined }), job({ arrivalWindowEnd: "soon" })),
      [],
    ],
  ])("%s", async (_, rule, polls, events) => {
    expect(brief(await eventsOf([rule as Rule], polls))).toEqual(events);
  });
});

it("says once, when it begins, which jobs are late already", async () => {
  const said: string[] = [];
  await eventsOf(
    [{ when: "jobLate" }],
    every10({ jobs: [...(job({ eta: at(95) }).jobs ?? []), { eta: at(95), arrivalWindowEnd: at(90) }] }),
    { onRule: (words) => said.push(words) },
  );
  expect(said).toEqual(["r0: when any vehicle is expected after the arrival window of a job (late already: Job J1, Job without a number)"]);
});
