/** Supported versions of Node and msw, installed separately from the project's packages. */
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { install } from '../../scripts/install.ts'
import { portableSources } from '../fixtures/portable-sources.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

const TOOLS = path.join(PROJECT_FOLDER, '.cache', 'msw-tools')
const PROGRAMS = path.join(import.meta.dir, 'programs')

/** Their registry packages are for one platform. */
export const hasRuntimes = process.platform === 'linux' && process.arch === 'x64'

/** A runtime and an msw version, by the names in `tools/package.json`. */
export interface Pair {
  runtime: 'bun' | 'node-20' | 'node-22' | 'node-26'
  msw: 'msw-2' | 'msw-3.0' | 'msw-3'
}

/** The oldest and the newest that work together. */
export const PAIRS: readonly Pair[] = [
  { runtime: 'node-20', msw: 'msw-2' },
  { runtime: 'node-22', msw: 'msw-3.0' },
  { runtime: 'node-26', msw: 'msw-3' },
  { runtime: 'bun', msw: 'msw-2' },
]

async function installTools(): Promise<void> {
  const tools = path.join(import.meta.dir, 'tools')
  mkdirSync(TOOLS, { recursive: true })
  for (const name of ['package.json', 'bun.lock'])
    copyFileSync(path.join(tools, name), path.join(TOOLS, name))
  await install(TOOLS)
}

/** Links one of the versions into a folder as its `msw`; returns its number. */
export async function linkMsw(folder: string, msw: Pair['msw']): Promise<string> {
  await installTools()
  const own = path.join(TOOLS, 'node_modules', msw)
  const link = path.join(folder, 'node_modules', 'msw')
  mkdirSync(path.dirname(link), { recursive: true })
  linkOnce(own, link)
  const { version } = await Bun.file(path.join(link, 'package.json')).json()
  return version
}

/** Another test may have installed it in the same folder. */
function linkOnce(own: string, link: string): void {
  try {
    symlinkSync(own, link)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

/** Builds the programs for Node in a folder, and returns a runner for a pair. */
export async function runtimes(inFolder: (name: string) => string) {
  const built = await Bun.build({
    entrypoints: ['suite.ts', 'talk.ts'].map((name) => path.join(PROGRAMS, name)),
    target: 'node',
    external: ['msw', 'msw/*'],
    plugins: [portableSources],
  })
  return async ({ runtime, msw }: Pair, program: 'suite' | 'talk', ...args: string[]) => {
    const place = inFolder(`${runtime}-${msw}-${program}`)
    await linkMsw(place, msw)
    for (const output of built.outputs)
      await Bun.write(path.join(place, path.basename(output.path, '.js').concat('.mjs')), output)
    const file = path.join(place, `${program}.mjs`)
    const child = Bun.spawn([...executableOf(runtime), file, ...args], { stderr: 'pipe' })
    const [out, error] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ])
    return { code: await child.exited, out, error }
  }
}

/** The command that runs a module. */
export function executableOf(runtime: Pair['runtime']): string[] {
  if (runtime === 'bun') return [process.execPath]
  const node = path.join(TOOLS, 'node_modules', runtime, 'bin', 'node')
  // It has a `WebSocket`, but only with the option.
  return runtime === 'node-20' ? [node, '--experimental-websocket', '--no-warnings'] : [node]
}
