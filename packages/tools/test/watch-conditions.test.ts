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
