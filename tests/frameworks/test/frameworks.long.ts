import { afterAll } from "vitest";
import { describeDocumentation } from "./documentation.ts";
import { describeExamples, EXAMPLE_PACKAGES } from "./examples.ts";
import { FRAMEWORKS } from "./frameworks.ts";
import { INSTALL_TIMEOUT, startInstalling } from "./install-packages.ts";
import { describeMatrix } from "./matrix.ts";

const installed = startInstalling([...FRAMEWORKS, EXAMPLE_PACKAGES]);
afterAll(() => installed.remove(), INSTALL_TIMEOUT);

describeMatrix(FRAMEWORKS, installed);
describeDocumentation(FRAMEWORKS, installed);
describeExamples(installed);
