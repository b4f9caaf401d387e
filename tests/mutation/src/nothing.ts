import { describe } from "vitest";

// Vitest starts a process only for a test file; worker-runner.ts decides what runs in it.
describe.skip("nothing");
