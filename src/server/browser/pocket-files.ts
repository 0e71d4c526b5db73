/** The files of a pocket world on a web server, written by `cast --pocket`. */
import { UserError } from '../../platform/user-error.ts'
import { VERSION } from '../../platform/version.ts'

/** Names within the folder, without extensions of compression: a web server would unpack. */
export const POCKET_FILES = {
  manifest: 'pocket.json',
  world: 'pocket.world',
  sqlite: 'sqlite3.wasm',
  worker: 'tapewright-worker.js',
} as const

/** The manifest: identity of the world, and small files. */
export interface PocketManifest {
  format: 'tapewright-pocket'
  /** Version of the package that wrote it, which also reads it. */
  version: string
  /** Identity of the world, as in `LoadedWorld.id`. */
  world: string
  /** Of the compressed world. */
  bytes: number
  /** Texts of the scenarios by their names, YAML. */
  scenarios: Record<string, string>
}

export interface PocketFiles {
  manifest: PocketManifest
  /** A database file for `completeWorld`, decompressed on each call. */
  world: () => Promise<Uint8Array>
  sqlite: Uint8Array<ArrayBuffer>
}

/**
 * Loads the files; a UserError names a missing or wrong one.
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

/** Kept compressed, as it may be needed again and takes less than half of the memory. */
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
  // The server of an application may answer every request with its page.
  const isPage = response.headers.get('content-type')?.startsWith('text/html') === true
  if (response.ok && !isPage) return response
  const found = isPage ? 'a web page is served instead' : `HTTP ${response.status}`
  throw new UserError(`${url} is not served (${found}): ${WRITE_IT}`)
}

const WRITE_IT = 'write the files with "npx tapewright cast --pocket public/tapewright"'
