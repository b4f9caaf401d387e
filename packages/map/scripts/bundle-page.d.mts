export interface PageOptions {
  /** The path of the script. */
  entry: string;
  /** The page around it, with `<!-- styles -->` and `<!-- script -->`. */
  html: string;
  define?: Record<string, string>;
}

export function bundlePage(options: PageOptions): Promise<string>;

export function bundlePageAndSources(options: PageOptions): Promise<{ page: string; sources: string[] }>;
