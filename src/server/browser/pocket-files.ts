/** The files of a pocket world as a web server has them, which `cast --pocket` writes. */
import { UserError } from '../../platform/user-error.ts'
import { VERSION } from '../../platform/version.ts'

/** Names within the folder. No name says how it is compressed: a web server would undo that. */
export const POCKET_FILES = {
  manifest: 'pocket.json',
  world: 'pocket.world',
  sqlite: 'sqlite3.wasm',
  worker: 'tapewright-worker.js',
} as const

/** What belongs together, and what is small. */
export interface PocketManifest {
  format: 'tapewright-pocket'
  /** Of the package that wrote it, which also reads it. */
  version: string
  /** Which world: as `LoadedWorld.id` says. */
  world: string
  /** Of the compressed world. */
  bytes: number
  /** Texts of the scenarios by their names, YAML. */
  scenarios: Record<string, string>
}

export interface PocketFiles {
  manifest: PocketManifest
  /** A database file that `completeWorld` completes, unpacked when it is asked for. */
  world: () => Promise<Uint8Array>
  sqlite: Uint8Array<ArrayBuffer>
}

/**
 * Loads them all; a UserError says which one is not there, or is another than it should be.
 *
 * @param folder URL that ends in a slash
 */
export async function loadPocket(folder: string): Promise<PocketFiles> {
  const [manifest, world, sqlite] = await Promise.all([
    manifestOf(folder),
    packedWorld(folder),
    bytesOf(folder, POCKET_FILES.sqlite),
  ])
  return { manifest, world, sqlite }
}

async function manifestOf(folder: string): Promise<PocketManifest> {
  const response = await served(folder, POCKET_FILES.manifest)
  const read = (await response.json().catch(() => null)) as PocketManifest | null
  if (read?.format !== 'tapewright-pocket')
    throw new UserError(`${response.url} is no pocket world: ${WRITE_IT}`)
  if (read.version === VERSION) return read
  throw new UserError(
    `the pocket world at ${folder} is of Tapewright ${read.version}, and the page is built with ` +
      `${VERSION}: ${WRITE_IT} again`,
  )
}

/** It may be needed again: what is packed takes less than half of the memory. */
async function packedWorld(folder: string): Promise<PocketFiles['world']> {
  const response = await served(folder, POCKET_FILES.world)
  const damaged = () => {
    throw new UserError(`${response.url} is damaged, or was not sent as it is: ${WRITE_IT}`)
  }
  const packed = await response.blob().catch(damaged)
  return () => unpacked(packed).catch(damaged)
}

async function unpacked(packed: Blob): Promise<Uint8Array> {
  const stream = packed.stream().pipeThrough(new DecompressionStream('gzip'))
  return new Uint8Array(await new Response(stream as ReadableStream).arrayBuffer())
}

const bytesOf = async (folder: string, name: string) =>
  new Uint8Array(await (await served(folder, name)).arrayBuffer())

async function served(folder: string, name: string): Promise<Response> {
  const url = `${folder}${name}`
  const response = await fetch(url).catch((error: Error) => {
    throw new UserError(`${url} cannot be loaded (${error.message}): is the page's server running?`)
  })
  // A server of an application may answer with its page whatever is asked for.
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true
  if (response.ok && !isPage) return response
  const found = isPage ? 'a web page is served instead' : `HTTP ${response.status}`
  throw new UserError(`${url} is not served (${found}): ${WRITE_IT}`)
}

const WRITE_IT = 'write the files with "npx tapewright cast --pocket public/tapewright"'
