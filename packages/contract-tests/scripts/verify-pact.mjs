// Lets Pact's own verifier send what a Pact file has to a provider, and says what it says: verify-pact.mjs FILE ORIGIN STATE_PATH
import { Verifier } from "@pact-foundation/pact";

const [file, origin, statePath] = process.argv.slice(2);
const verifier = new Verifier({
  providerBaseUrl: origin,
  providerStatesSetupUrl: origin + statePath,
  pactUrls: [file],
  logLevel: "error",
});
try {
  await verifier.verifyProvider();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
