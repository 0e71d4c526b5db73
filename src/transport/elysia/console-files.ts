/** The console: built beside the program, or bundled from its sources at the first request. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** What a path of the console shows; null for one that is none of its paths. */
export function consoleFile(at: string): (() => Promise<ConsoleFile | null>) | null {
  if (at !== PAGE && !at.startsWith(`${PAGE}/`)) return null
  const name = at === PAGE ? 'console.html' : at.slice(PAGE.length + 1)
  return async () => {
    files ??= await loadFiles()
    return files.get(name) ?? null
  }
}

export interface ConsoleFile {
  text: string
  type: string
  /** Whether its name changes with what is in it. */
  isNamedByContent: boolean
}

const PAGE = '/console'
let files: ReadonlyMap<string, ConsoleFile> | null = null

async function loadFiles(): Promise<ReadonlyMap<string, ConsoleFile>> {
  const built = path.join(import.meta.dir, 'console')
  const named = existsSync(built) ? builtFiles(built) : await bundledFiles()
  const read = named.map(async ({ name, text }) => {
    const type = TYPES[path.extname(name)] ?? 'application/octet-stream'
    const file = { text: await text(), type, isNamedByContent: !name.endsWith('.html') }
    return [name, file] as const
  })
  return new Map(await Promise.all(read))
}

interface NamedFile {
  name: string
  text(): Promise<string>
}

function builtFiles(folder: string): NamedFile[] {
  return readdirSync(folder).map((name) => ({
    name,
    text: () => Bun.file(path.join(folder, name)).text(),
  }))
}

async function bundledFiles(): Promise<NamedFile[]> {
  const { bundleConsole } = await import('./console-bundle.ts')
  return (await bundleConsole(path.join(import.meta.dir, '..', '..', '..'))).files
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
}
