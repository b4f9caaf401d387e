export { hostileOutput } from "./hostile-output.ts";
export { type Sample, type Samples, samples } from "./samples.ts";
