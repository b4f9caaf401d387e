import { describe } from "vitest";

// Vitest starts its process for a test file; what runs in it is worker-runner.ts's.
describe.skip("nothing");
