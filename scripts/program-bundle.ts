/** The program as compiled code: one file for it and one for each of its threads. */
import { cpSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { bundleConsole } from '../src/server/transport/elysia/console-bundle.ts'
import { PACKED, packed } from '../src/server/transport/elysia/packed-file.ts'
import { SCALAR_FILE, scalarBundle } from '../src/server/transport/elysia/scalar-bundle.ts'
import { bundleBrowserWorker } from './browser-bundle.ts'
import { ROOT } from './install.ts'

/** Entry points started by name: the program and its threads. */
export const ENTRY_POINTS = [
  'src/main.ts',
  'src/server/watchdog/watchdog-worker.ts',
  'src/server/control/conformance-worker.ts',
  'src/sandbox/worlds/casting-worker.ts',
  'src/sandbox/worlds/growth-worker.ts',
  'src/market/casting/writing/row-worker.ts',
]

/** Read at run time, relative to the reader. */
const MIGRATIONS = 'src/sandbox/state-file/migrations'

/** Writes the program into a folder; returns all inputs by path. */
export async function bundleProgram(folder: string): Promise<string[]> {
  const worker = bundleBrowserWorker(path.join(folder, 'browser'))
  return [...(await bundle(folder, true)), ...(await worker)]
}

/** The same without compiled code, and without parts for pages with their own sandbox. */
export const bundleServer = (folder: string): Promise<string[]> => bundle(folder, false)

async function bundle(folder: string, isCompiled: boolean): Promise<string[]> {
  const pages = writeConsole(path.join(folder, 'console'))
  const isRare = (entry: string) => RARE_ENTRY_POINTS.includes(entry)
  const inputs = [
    ...(await build(
      folder,
      ENTRY_POINTS.filter((entry) => !isRare(entry)),
      { bytecode: isCompiled, sourcemap: 'linked' },
    )),
    ...(await build(folder, RARE_ENTRY_POINTS, { bytecode: false, sourcemap: 'none' })),
  ]
  copyReadFiles(folder)
  return [...new Set([...inputs, ...(await pages)])]
}

/** Started seldom, and by people who can wait: compiled code would be most of their size. */
const RARE_ENTRY_POINTS = ['src/server/control/conformance-worker.ts']

/** Writes the files of entry points; returns their inputs by path. */
async function build(
  folder: string,
  entries: readonly string[],
  settings: Pick<Bun.BuildConfig, 'bytecode' | 'sourcemap'>,
): Promise<string[]> {
  const { metafile } = await Bun.build({
    entrypoints: entries.map((entry) => path.join(ROOT, entry)),
    outdir: folder,
    target: 'bun',
    format: 'cjs',
    // Otherwise it is the source's folder: threads and tables are found beside it.
    define: { 'import.meta.dir': 'module.path' },
    metafile: true,
    minify: { whitespace: true },
    naming: { entry: '[name].[ext]' },
    ...settings,
  })
  const inputs = Object.keys(metafile?.inputs ?? {})
  return inputs.map((input) => path.relative(ROOT, path.resolve(input)))
}

/** Writes the console into a folder; returns all inputs by path. */
export async function writeConsole(folder: string): Promise<string[]> {
  const { files, inputs } = await bundleConsole(ROOT)
  for (const { name, bytes } of files)
    await Bun.write(path.join(folder, name + PACKED), packed(bytes))
  return inputs
}

/** Writes files read at run time to a place beside the program. */
export function copyReadFiles(folder: string): void {
  cpSync(path.join(ROOT, MIGRATIONS), path.join(folder, 'migrations'), { recursive: true })
  writeFileSync(path.join(folder, SCALAR_FILE + PACKED), packed(scalarBundle()))
}
