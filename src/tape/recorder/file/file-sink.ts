/** Where the bytes of a recording go. A place that fails is a value of this as well, in tests. */
import { type FileHandle, open } from 'node:fs/promises'

export interface FileSink {
  /** Writes all of the bytes at a place, or throws. */
  write(bytes: Uint8Array, place: number): Promise<void>
  /** Cuts off what stands behind a place. */
  cut(place: number): Promise<void>
  close(): Promise<void>
}

/** Opens a file that does not exist yet; throws what the system says. */
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
