import { describe, expect, it } from "vitest";
import { QUESTIONS } from "../questions/index.ts";
import { check, sittings, transcriptsOf } from "../transcript.ts";

it("at most one sitting is recorded", () => {
  expect(sittings().length).toBeLessThanOrEqual(1);
});

// A failure means that the tools no longer return what an answer is based on. If you renamed or changed a tool on purpose, take the question again.
for (const sitting of sittings()) {
  describe(`the recorded sitting "${sitting}"`, () => {
    const transcripts = transcriptsOf(sitting);

    it("answers every question", () => {
      expect(transcripts.map(({ question }) => question).sort()).toEqual(QUESTIONS.map(({ id }) => id).sort());
    });

    it.each(transcripts)("$question", async (transcript) => {
      const { newlyRefused, shown, wrong } = await check(transcript);
      expect(newlyRefused).toEqual([]);
      expect(shown).toEqual(expect.arrayContaining(transcript.shown ?? []));
      expect(wrong).toEqual(transcript.wrong);
    });
  });
}
