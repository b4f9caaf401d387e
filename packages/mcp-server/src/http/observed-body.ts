interface ObservedBody {
  body: ReadableStream<Uint8Array>;
  /** Settles when the source has come to its end, or was cancelled. */
  ended: Promise<void>;
}

interface Observation {
  /** Whether the source goes on to its end where nobody reads any more. */
  outlivesReader: boolean;
  /** What is added at the end. */
  lastWords: () => string;
}

/** The same body, and notice of its end. It never errors: what is cut short ends early. */
export function observedBody(source: ReadableStream<Uint8Array>, { outlivesReader, lastWords }: Observation): ObservedBody {
  const reader = source.getReader();
  let left = false;
  let onEnd = () => {};
  const ended = new Promise<void>((resolve) => {
    onEnd = resolve;
  });
  const readToEnd = async () => {
    try {
      while (!(await reader.read()).done);
    } catch {
      // It has ended either way.
    }
    onEnd();
  };
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (left) return;
      if (value !== undefined) controller.enqueue(value);
      if (!done) return;
      const last = lastWords();
      if (last !== "") controller.enqueue(new TextEncoder().encode(last));
      controller.close();
      onEnd();
    },
    cancel: async () => {
      left = true;
      if (outlivesReader) return void readToEnd();
      await reader.cancel().catch(() => {});
      onEnd();
    },
  });
  return { body, ended };
}
