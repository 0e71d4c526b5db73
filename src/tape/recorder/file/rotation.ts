/** When a recording goes on in another file, and what that is called. */

export interface Rotation {
  /** Bytes of a file, on the disk, after which another one is begun. */
  sizeBytes?: number
  /** Time after which another one is begun. */
  everyMs?: number
}

/** Whether a file has had its time or its size; one without an event never has. */
export function isFull(
  file: { bytes: number; events: number; startMs: number },
  nowMs: number,
  { sizeBytes = Number.POSITIVE_INFINITY, everyMs = Number.POSITIVE_INFINITY }: Rotation,
): boolean {
  if (file.events === 0) return false
  return file.bytes >= sizeBytes || nowMs - file.startMs >= everyMs
}

/** The name of a file of the recording: with a number where there may be several. */
export function partName(path: string, part: number, { sizeBytes, everyMs }: Rotation): string {
  if (sizeBytes === undefined && everyMs === undefined) return path
  const number = String(part).padStart(4, '0')
  const named = path.replace(/(\.tape)?\.ndjson(\.zst)?$/, (ending) => `.${number}${ending}`)
  return named === path ? `${path}.${number}` : named
}
