export { annotationsOf, markdownOf } from "./github.ts";
export { htmlOf } from "./html.ts";
export { junitOf } from "./junit.ts";
export { sarifOf } from "./sarif.ts";
export { textReport } from "./text-report.ts";
