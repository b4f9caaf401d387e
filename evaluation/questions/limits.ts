import { declines, never, says } from "../facts.ts";
import type { Language, Question } from "../question.ts";

const limit = (id: string, language: Language, text: string, invented?: RegExp): Question => ({
  id: `limit-${id}`,
  language,
  text,
  truth: () => [declines(), ...(invented ? [never("an invented figure", invented)] : [])],
});

/** Its past is not known because it has no tachograph, not because there is no past. */
const noTachograph = (id: string, language: Language, text: string): Question => ({
  id: `limit-${id}`,
  language,
  text,
  truth: () => [declines(), says("that it has no tachograph records", /ta\w{1,3}ogra/)],
});

const PHONE = /\+?\d[\d ()/-]{7,}\d/;

/** What the service cannot say or do. */
export const limits: Question[] = [
  noTachograph("history", "en", "where was van 3 yesterday at 3pm"),
  limit("speeding", "de", "wer ist gestern zu schnell gefahren", /(?:^|\s)1?\d\d ?km\/h/),
  limit("tire-pressure", "fr", "pression des pneus du truck 1 là maintenant ?", /\d ?(?:bar|kpa|psi)/),
  limit("phone", "es", "dame el telefono de javier romero", PHONE),
  limit("consumption", "pl", "ile litrow spalil van 4 w tym tygodniu", /spalil \d/),
  limit("cancel-job", "en", "cancel job BI-520 for me"),
  limit("lock-doors", "de", "sperr mal bitte den motor von van 9"),
];
