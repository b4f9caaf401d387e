/** Files that were uploaded to jobs. Places and files are bounded: the oldest ones are forgotten. */
export interface UploadStore {
  /** Opens a place for a file; only such places take uploads. */
  readonly open: (id: string) => void;
  readonly put: (id: string, bytes: Uint8Array, mediaType: string) => boolean;
  readonly get: (id: string) => UploadedFile | undefined;
}

interface UploadedFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** Keeps at most so many places, and files of so many bytes together. */
export function uploadStore(mostPlaces: number, mostBytes: number): UploadStore {
  const places = new Set<string>();
  const files = new Map<string, UploadedFile>();
  let size = 0;

  const remove = (id: string) => {
    size -= files.get(id)?.bytes.byteLength ?? 0;
    files.delete(id);
  };
  return {
    open: (id) => {
      places.add(id);
      const [oldest] = places;
      if (places.size <= mostPlaces || oldest === undefined) return;
      places.delete(oldest);
      remove(oldest);
    },
    put: (id, bytes, mediaType) => {
      if (!places.has(id)) return false;
      remove(id);
      files.set(id, { bytes, mediaType });
      size += bytes.byteLength;
      for (const oldest of files.keys()) {
        if (size <= mostBytes || files.size === 1) break;
        remove(oldest);
      }
      return true;
    },
    get: (id) => files.get(id),
  };
}
