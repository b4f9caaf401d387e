/** Counts what is served. Labels never contain a customer or caller: whoever may read the metrics may not know those. */
export interface Metrics {
  called: (tool: string, outcome: string, ms: number) => void;
  responded: (status: number, ms: number) => void;
  /** Returns all metrics in the text format of Prometheus. */
  render?: () => Promise<{ contentType: string; text: string }>;
}

export const noMetrics: Metrics = { called: () => {}, responded: () => {} };
