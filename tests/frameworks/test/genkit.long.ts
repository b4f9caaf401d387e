import { afterAll } from "vitest";
import { describeDocumentation } from "./documentation.ts";
import { GENKIT } from "./frameworks.ts";
import { INSTALL_TIMEOUT, startInstalling } from "./install-packages.ts";
import { describeMatrix } from "./matrix.ts";

const installed = startInstalling([GENKIT]);
afterAll(() => installed.remove(), INSTALL_TIMEOUT);

describeMatrix([GENKIT], installed);
describeDocumentation([GENKIT], installed);
