/** Files on the disk that a browser gives a page: a database that lies there takes no memory. */

export interface WasmFiles {
  /** The name by which SQLite knows them. */
  readonly vfs: string
  /**
   * The path of a new file; null when there are as many as there may be, or it does not fit.
   *
   * @param content the bytes of a database file; it is made when it is opened when there are none
   */
  take(content: Uint8Array): string | null
  /** What a file held is no longer wanted; its database is closed. */
  release(path: string): void
}

/** What SQLite's own package gives, as far as it is used: a pool of files that are held open. */
export type InstallPool = (settings: {
  name: string
  directory: string
  clearOnInit: boolean
  initialCapacity: number
}) => Promise<Pool>

interface Pool {
  getCapacity(): number
  getFileCount(): number
  importDb(path: string, content: Uint8Array): number
  unlink(path: string): boolean
}

/** The world, and markets that have been told something; more of them are kept in memory. */
const FILES_MOST = 6

/** Makes a folder of the browser's disk such a place; rejects where the browser gives none. */
export async function poolOfFiles(install: InstallPool, folder: string): Promise<WasmFiles> {
  const pool = await install({
    name: folder,
    directory: folder,
    clearOnInit: true,
    initialCapacity: FILES_MOST,
  })
  let count = 0
  return {
    vfs: folder,
    take(content) {
      if (pool.getFileCount() >= pool.getCapacity()) return null
      const path = `/${++count}`
      try {
        if (content.length > 0) pool.importDb(path, content)
        return path
      } catch {
        return null
      }
    },
    release: (path) => void pool.unlink(path),
  }
}
