// For the tests of other packages, which replay the fixtures through what they test. Not published.
export { interactionOf, routeOf, tokenInteraction } from "./checks/interactions.ts";
export { CREDENTIAL_HEADERS, FIXTURE_CUSTOMER, REPLAY_CREDENTIALS, withoutSecrets, withSecrets } from "./fixtures/placeholders.ts";
export { formatValue } from "./replay/json-differences.ts";
export { type Interaction, prefixOf, type ReplayServer, startReplayServer } from "./replay/replay-server.ts";
