import type { WasmFiles } from '../world/wasm/wasm-files.ts'

/**
 * Files on the disk that the browser gives the page; null where it gives none, as private windows
 * of some browsers do. Each tab has a folder of its own, which the next one that is opened removes
 * when the tab has gone.
 */
export async function pageFiles(
  open: (folder: string) => Promise<WasmFiles>,
): Promise<WasmFiles | null> {
  const { locks, storage } = navigator as Partial<Storing>
  if (!locks || !storage?.getDirectory) return null
  try {
    const root = await storage.getDirectory()
    return await locks.request(`${PREFIX}folders`, async () => open(await ownFolder(root, locks)))
  } catch {
    return null
  }
}

/** The first that no other tab has, empty, and ours for as long as the worker lives. */
async function ownFolder(root: Folder, locks: Locks): Promise<string> {
  const { held } = await locks.query()
  const used = new Set(held.map(({ name }) => name))
  const isLeft = (name: string) => name.startsWith(PREFIX) && !used.has(name)
  for await (const name of root.keys())
    if (isLeft(name)) await root.removeEntry(name, { recursive: true }).catch(() => {})
  let number = 1
  while (used.has(`${PREFIX}${number}`)) number++
  const name = `${PREFIX}${number}`
  await new Promise<void>((resolve) => {
    const forever = new Promise<void>(() => {})
    void locks.request(name, () => {
      resolve()
      return forever
    })
  })
  return name
}

const PREFIX = 'tapewright-'

/** Of browsers; the types of other runtimes do not know them. */
interface Storing {
  locks: Locks
  storage: { getDirectory?: () => Promise<Folder> }
}

interface Locks {
  request<T>(name: string, task: () => Promise<T>): Promise<T>
  query(): Promise<{ held: { name: string }[] }>
}

interface Folder {
  keys(): AsyncIterable<string>
  removeEntry(name: string, options: { recursive: true }): Promise<void>
}
