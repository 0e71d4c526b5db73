/** The console: built beside the program, or bundled from its sources at the first request. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { PACKED, type Packed, packed } from './packed-file.ts'

/** What a path of the console shows; null for one that is none of its paths. */
export function consoleFile(at: string): (() => Promise<ConsoleFile | null>) | null {
  if (at !== PAGE && !at.startsWith(`${PAGE}/`)) return null
  const name = at === PAGE ? 'console.html' : at.slice(PAGE.length + 1)
  return async () => {
    files ??= loadFiles()
    return (await files).get(name) ?? null
  }
}

export interface ConsoleFile {
  packed: Packed
  type: string
  /** Whether its name changes with what is in it. */
  isNamedByContent: boolean
}

const PAGE = '/console'
let files: Promise<ReadonlyMap<string, ConsoleFile>> | null = null

async function loadFiles(): Promise<ReadonlyMap<string, ConsoleFile>> {
  const built = path.join(import.meta.dir, 'console')
  const found = existsSync(built) ? await builtFiles(built) : await bundledFiles()
  return new Map(
    found.map(([name, bytes]) => [
      name,
      {
        packed: bytes,
        type: TYPES[path.extname(name)] ?? 'application/octet-stream',
        isNamedByContent: !name.endsWith('.html'),
      },
    ]),
  )
}

type NamedFile = readonly [name: string, bytes: Packed]

const builtFiles = (folder: string): Promise<NamedFile[]> =>
  Promise.all(
    readdirSync(folder).map(
      async (name) =>
        [name.slice(0, -PACKED.length), await Bun.file(path.join(folder, name)).bytes()] as const,
    ),
  )

async function bundledFiles(): Promise<NamedFile[]> {
  const { bundleConsole } = await import('./console-bundle.ts')
  const { files: bundled } = await bundleConsole(path.join(import.meta.dir, '..', '..', '..', '..'))
  return bundled.map(({ name, bytes }) => [name, packed(bytes)])
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}
