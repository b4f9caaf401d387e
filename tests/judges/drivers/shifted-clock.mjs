// Preloaded into the server: shifts its clock by the milliseconds in a file that tests can change.
import { readFileSync } from "node:fs";

const file = process.env.JUDGE_CLOCK;
const TrueDate = Date;
const now = () => TrueDate.now() + Number(readFileSync(file, "utf8"));

globalThis.Date = class extends TrueDate {
  constructor(...args) {
    super(...(args.length === 0 ? [now()] : args));
  }
  static now() {
    return now();
  }
};
