/** Files that were uploaded to jobs; the oldest are forgotten once there are too many. */
export interface UploadStore {
  /** Opens a place for a file; only such places take uploads. */
  readonly open: (id: string) => void;
  readonly put: (id: string, bytes: Uint8Array, mediaType: string) => boolean;
  readonly get: (id: string) => { readonly bytes: Uint8Array; readonly mediaType: string } | undefined;
}

const MOST_FILES = 256;

export function uploadStore(): UploadStore {
  const opened = new Set<string>();
  const files = new Map<string, { readonly bytes: Uint8Array; readonly mediaType: string }>();
  return {
    open: (id) => {
      opened.add(id);
    },
    put: (id, bytes, mediaType) => {
      if (!opened.has(id)) return false;
      files.delete(id);
      files.set(id, { bytes, mediaType });
      const [oldest] = files.keys();
      if (files.size > MOST_FILES && oldest !== undefined) files.delete(oldest);
      return true;
    },
    get: (id) => files.get(id),
  };
}
