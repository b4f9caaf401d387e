import { expect, it } from "vitest";
import { at, brief, eventsOf, type OtherLists, PARIS, type Poll, van } from "./watched-polls.ts";

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

const driven = () => drivesSince(-195);
const LATE = "Job J1 is expected after the arrival window";
const late = job({ eta: at(95) });
const ofVan = { when: "jobLate", vehicle: "Van 1" };
const any = { when: "jobLate" };
const breakDue = { when: "breakDueIn", minutes: 60, driver: "Ana Silva" };
const leftToday = { when: "driveTimeLeftBelow", minutes: 330 };
const dailyRest = { when: "shiftEnds", withinMinutes: 690 };
const resting = drivesSince(-195, [{ activity: "REST", startTime: at(-195), inProgress: true }]);
const OTHER = { driverId: undefined, driverName: undefined };

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
  ...(
    [
      [breakDue, "needs a break after less than 1 h 00 min of driving"],
      [leftToday, "may have less than 5 h 30 min of driving left today"],
      [dailyRest, "must begin the daily rest within 11 h 30 min"],
    ] as const
  ).map(([rule, said]): [string, object, Poll[], string[]] => [
    `hours: ${rule.when}`,
    rule,
    every10(driven(), driven(), driven(), driven()),
    [`08:20 Ana Silva ${said}`],
  ]),
  ...[breakDue, leftToday].map((rule): [string, object, Poll[], string[]] => [
    `nothing that only driving since the last sign of life could have changed: ${rule.when}`,
    rule,
    [0, 20, 40, 120].map((minute): Poll => [minute, [van(0, PARIS)], driven()]),
    [],
  ]),
  ["nothing about a driver at rest", dailyRest, every10(resting, resting, resting), []],
  [
    "little driving left of a driver who appears",
    leftToday,
    [0, 10, 20, 30].map((minute): Poll => [minute, [van(minute, { ...PARIS, ...(minute < 20 && OTHER) })], drivesSince(-240)]),
    ["08:20 Ana Silva may have less than 5 h 30 min of driving left today"],
  ],
  ["that a job will be late, once", ofVan, every10(job({}), late, job({ eta: at(99) })), [`08:10 ${LATE}`]],
  ["a job that is late when it is first listed", any, every10({ jobs: [] }, late), [`08:10 ${LATE}`]],
  [
    "a job whose eta is stated later than the job, and is then late",
    any,
    every10(job({ eta: undefined }), job({ eta: undefined }), late, job({ eta: undefined }), job({ eta: at(99) })),
    [`08:20 ${LATE}`],
  ],
  [
    "a job that is late, on time and late again, and whose window changes",
    any,
    every10(job({}), late, job({ eta: at(80) }), late, ...[95, 125].map((eta) => job({ eta: at(eta), arrivalWindowEnd: at(120) }))),
    [10, 30, 50].map((minute) => `08:${minute} ${LATE}`),
  ],
  ["a late job once, though it is missing for a while", any, every10(job({}), late, { jobs: [] }, job({ eta: at(96) })), [`08:10 ${LATE}`]],
  // A name that an object has by itself, and a number.
  ...["__proto__", 12].map((jobNumber): [string, object, Poll[], string[]] => [
    `a job called ${jobNumber}`,
    any,
    every10(job({ jobNumber }), job({ jobNumber, eta: at(95) }), job({ jobNumber, eta: at(96) })),
    [`08:10 ${LATE.replace("J1", String(jobNumber))}`],
  ]),
  ["nothing of a job that is late when the watch begins", any, every10(late, job({ eta: at(99) })), []],
  ["a late job that is given to the vehicle of the rule", ofVan, every10(job({ vehicleId: "v9", eta: at(95) }), late), [`08:10 ${LATE}`]],
  ["nothing of a job that was visited", any, every10(job({}), job({ eta: at(95), status: "VISITED" })), []],
  ["nothing of another vehicle's job", ofVan, every10(job({}), job({ eta: at(95), vehicleId: "v9" })), []],
  ["nothing of jobs without both times", any, every10(job({}), job({ eta: undefined }), job({ arrivalWindowEnd: "soon" })), []],
])("a watch of other lists reports %s", async (_, rule, polls, events) => {
  expect(brief(await eventsOf([rule], polls))).toEqual(events);
});

it("says once, when it begins, which jobs are late already", async () => {
  const said: string[] = [];
  const jobs = [...(late.jobs ?? []), { eta: at(95), arrivalWindowEnd: at(90) }];
  await eventsOf([any], every10({ jobs }), { onRule: (words) => said.push(words) });
  expect(said).toEqual(["r0: when any vehicle is expected after the arrival window of a job (late already: Job J1, Job without a number)"]);
});
