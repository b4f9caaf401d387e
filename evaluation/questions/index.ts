import type { Question } from "../question.ts";
import { ambiguous } from "./ambiguous.ts";
import { brokenRules } from "./broken-rules.ts";
import { counts } from "./counts.ts";
import { dispatch } from "./dispatch.ts";
import { faults } from "./faults.ts";
import { hostile } from "./hostile.ts";
import { hoursLeft } from "./hours-left.ts";
import { jobs } from "./jobs.ts";
import { limits } from "./limits.ts";
import { listQuestions } from "./lists.ts";
import { past } from "./past.ts";
import { places } from "./places.ts";
import { times } from "./times.ts";
import { tires } from "./tires.ts";
import { vehicles } from "./vehicles.ts";
import { watch } from "./watch.ts";
import { work } from "./work.ts";
import { writes } from "./writes.ts";

const KINDS = {
  faults,
  work,
  "hours left": hoursLeft,
  dispatch,
  places,
  lists: listQuestions,
  counts,
  jobs,
  tires,
  vehicles,
  times,
  limits,
  writes,
  hostile,
  ambiguous,
  past,
  "broken rules": brokenRules,
  watch,
} satisfies Record<string, Question[]>;

export const QUESTIONS = Object.entries(KINDS).flatMap(([kind, questions]) =>
  questions.map((question: Question) => ({ ...question, kind })),
);

export function questionOf(id: string) {
  const found = QUESTIONS.find((question) => question.id === id);
  if (!found) throw new Error(`There is no question ${id}`);
  return found;
}
