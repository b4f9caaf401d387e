export { type FuzzReport, runFuzz } from "./run-fuzz.ts";
