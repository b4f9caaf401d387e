import { afterAll } from "vitest";
import { INSTALL_TIMEOUT, startInstalling } from "./install-packages.ts";
import { describeMatrix, FRAMEWORKS } from "./matrix.ts";

/** One that asks for approval, and one whose writes return a preview and a token; frameworks.long.ts has the others. */
const TWO = FRAMEWORKS.filter(({ name }) => ["OpenAI Agents", "Anthropic"].includes(name));

const installed = startInstalling(TWO);
afterAll(() => installed.remove(), INSTALL_TIMEOUT);

describeMatrix(TWO, installed);
