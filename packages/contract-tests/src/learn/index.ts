export { type Addresses, hasServers } from "./called-operation.ts";
export { harExchanges } from "./har-exchanges.ts";
export { Learner } from "./learn.ts";
export { profileTable } from "./profile-report.ts";
export { profileTypes } from "./profile-types.ts";
export { startLearningProxy } from "./proxy.ts";
