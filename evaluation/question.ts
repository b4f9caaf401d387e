import type { Fact } from "./facts.ts";
import type { World, WorldName, Write } from "./world.ts";

export type Language = "en" | "de" | "fr" | "es" | "pl";

export interface Question {
  id: string;
  language: Language;
  /** As the user puts it. */
  text: string;
  /** @default "november" */
  world?: WorldName;
  /** Written before the question is asked. */
  setup?: readonly Write[];
  /** Rules that the user has agreed to before. */
  rules?: readonly Record<string, unknown>[];
  /** What a correct answer must show, computed from the world after the setup. */
  truth(world: World): Fact[];
}
