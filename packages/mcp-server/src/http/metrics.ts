/** Counts what is served. Labels never contain a customer or caller: whoever reads the metrics may not be allowed to know these. */
export interface Metrics {
  called: (tool: string, outcome: string, ms: number) => void;
  responded: (status: number, ms: number) => void;
  /** Returns all metrics in the text format of Prometheus. */
  render?: () => Promise<{ contentType: string; text: string }>;
}

export const noMetrics: Metrics = { called: () => {}, responded: () => {} };
