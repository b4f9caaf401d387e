/** Files uploaded to jobs. Slots and bytes are limited; the oldest are dropped. */
export interface UploadStore {
  /** Opens a slot for a file. Only open slots accept uploads. */
  readonly open: (id: string) => void;
  readonly put: (id: string, bytes: Uint8Array, mediaType: string) => boolean;
  readonly get: (id: string) => UploadedFile | undefined;
}

interface UploadedFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** Stores at most `maxSlots` slots, and files with a total of at most `maxBytes`. */
export function uploadStore(maxSlots: number, maxBytes: number): UploadStore {
  const slots = new Set<string>();
  const files = new Map<string, UploadedFile>();
  let size = 0;

  const remove = (id: string) => {
    size -= files.get(id)?.bytes.byteLength ?? 0;
    files.delete(id);
  };
  return {
    open: (id) => {
      slots.add(id);
      const [oldest] = slots;
      if (slots.size <= maxSlots || oldest === undefined) return;
      slots.delete(oldest);
      remove(oldest);
    },
    put: (id, bytes, mediaType) => {
      if (!slots.has(id)) return false;
      remove(id);
      files.set(id, { bytes, mediaType });
      size += bytes.byteLength;
      for (const oldest of files.keys()) {
        if (size <= maxBytes || files.size === 1) break;
        remove(oldest);
      }
      return true;
    },
    get: (id) => files.get(id),
  };
}
