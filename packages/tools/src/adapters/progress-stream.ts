import type { ReportProgress } from "../model/tool.ts";

/** The progress of a call, as {@link ReportProgress} reports it. */
export interface Progress {
  done: number;
  total: number | undefined;
  message: string;
}

/** Runs a call and yields its progress as reported, then the result. For frameworks whose tools are generators. */
export async function* withProgress<Result>(
  run: (report: ReportProgress) => Promise<Result>,
): AsyncGenerator<{ progress: Progress } | { result: Result }, void> {
  const waiting: Progress[] = [];
  let wake = () => {};
  const running = run((done, total, message) => {
    waiting.push({ done, total, message });
    wake();
  });
  let settled = false;
  const settle = () => {
    settled = true;
    wake();
  };
  running.then(settle, settle);
  while (!settled || waiting.length > 0) {
    const progress = waiting.shift();
    if (progress !== undefined) yield { progress };
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  yield { result: await running };
}
