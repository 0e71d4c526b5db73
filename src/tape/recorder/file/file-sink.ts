/** Destination of a recording's bytes. Tests pass a failing one. */
import { type FileHandle, open } from 'node:fs/promises'

export interface FileSink {
  /** Writes all bytes at an offset, or throws. */
  write(bytes: Uint8Array, place: number): Promise<void>
  /** Truncates at an offset. */
  cut(place: number): Promise<void>
  close(): Promise<void>
}

/** Opens a file that does not exist yet; throws the system's error. */
export async function openFileSink(path: string): Promise<FileSink> {
  return new DiskSink(await open(path, 'wx'))
}

class DiskSink implements FileSink {
  constructor(private readonly handle: FileHandle) {}

  async write(bytes: Uint8Array, place: number): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      const left = bytes.length - written
      const { bytesWritten } = await this.handle.write(bytes, written, left, place + written)
      if (bytesWritten === 0) throw new Error('nothing more can be written')
      written += bytesWritten
    }
  }

  cut(place: number): Promise<void> {
    return this.handle.truncate(place)
  }

  close(): Promise<void> {
    return this.handle.close()
  }
}

/** Limits and names of a recording's files. */
export interface Rotation {
  /** Bytes of a file on disk after which another one is begun. */
  sizeBytes?: number
  /** Time after which another one is begun. */
  everyMs?: number
}

/** Whether a file has reached its time or size; one without an event never has. */
export function isFull(
  file: { bytes: number; events: number; startMs: number },
  nowMs: number,
  { sizeBytes = Number.POSITIVE_INFINITY, everyMs = Number.POSITIVE_INFINITY }: Rotation,
): boolean {
  if (file.events === 0) return false
  return file.bytes >= sizeBytes || nowMs - file.startMs >= everyMs
}

/** File name of a part of the recording: numbered where there may be several. */
export function partName(path: string, part: number, { sizeBytes, everyMs }: Rotation): string {
  if (sizeBytes === undefined && everyMs === undefined) return path
  const number = String(part).padStart(4, '0')
  const named = path.replace(/(\.tape)?\.ndjson(\.zst)?$/, (ending) => `.${number}${ending}`)
  return named === path ? `${path}.${number}` : named
}
