export * from "../dist/library/index.js";
export * as fetch from "../dist/library/fetch.js";
