interface ObservedBody {
  body: ReadableStream<Uint8Array>;
  /** Resolves when the source has ended or been cancelled. */
  ended: Promise<void>;
}

interface Observation {
  /** Whether to read the source to its end even after the reader cancels. */
  readToEnd: boolean;
  /** Text to append at the end. */
  trailer: () => string;
}

/** Passes a body through and reports its end. It never errors: an interrupted body just ends early. */
export function observedBody(source: ReadableStream<Uint8Array>, { readToEnd, trailer }: Observation): ObservedBody {
  const reader = source.getReader();
  let left = false;
  let onEnd = () => {};
  const ended = new Promise<void>((resolve) => {
    onEnd = resolve;
  });
  const drain = async () => {
    try {
      while (!(await reader.read()).done);
    } catch {
      // The source has ended either way.
    }
    onEnd();
  };
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }));
      if (left) return;
      if (value !== undefined) controller.enqueue(value);
      if (!done) return;
      const last = trailer();
      if (last !== "") controller.enqueue(new TextEncoder().encode(last));
      controller.close();
      onEnd();
    },
    cancel: async () => {
      left = true;
      if (readToEnd) return void drain();
      await reader.cancel().catch(() => {});
      onEnd();
    },
  });
  return { body, ended };
}
