/**
 * Builds the program into a few files of compiled code, which start in a third of the time of its
 * sources: each of those is found, read, transpiled and compiled one by one.
 */
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import {
  BUILDS,
  buildName,
  builtProgram,
  lastWrittenMs,
  mainOf,
  NEWEST_FILE,
  type NewestBuild,
} from './built-program.ts'
import { ROOT } from './install.ts'
import { bundleProgram, bundleServer } from './program-bundle.ts'

/** Inputs of the build besides the entry points' imports. */
const SETTINGS = [
  'package.json',
  'bun.lock',
  'tsconfig.json',
  'scripts/program-bundle.ts',
  'scripts/browser-bundle.ts',
]

/** Number of builds kept: a program may still run from an earlier one. */
const KEPT_BUILDS = 2

/** Contains the id of the process that builds beside a running program. */
const BUILDING_FILE = path.join(BUILDS, 'building.pid')

/**
 * Builds the present sources; returns the main file. Throws their errors.
 *
 * Each build has a folder of its own, since a running program starts its threads from there. A
 * partial one takes a fifth of the time.
 */
async function buildProgram(isWhole: boolean): Promise<string> {
  // Detects sources that change while they are read.
  const before = new Map(sources().map((input) => [input, lastWrittenMs(input)]))
  const draft = path.join(BUILDS, `build.${process.pid}.tmp`)
  const bundle = isWhole ? bundleProgram : bundleServer
  try {
    const inputs = [...new Set([...(await bundle(draft)).filter(isOurs), ...SETTINGS])].sort()
    const name = buildName(inputs, (input) => before.get(input) ?? lastWrittenMs(input))
    // Another process may have built the same concurrently.
    if (!existsSync(mainOf(name))) renameSync(draft, path.join(BUILDS, name))
    await publish({ name, inputs, isWhole })
    return mainOf(name)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function sources(): string[] {
  return [...new Bun.Glob('{src,seed}/**/*').scanSync({ cwd: ROOT }), ...SETTINGS]
}

const isOurs = (input: string) => !input.includes('node_modules/')

/** Publishes a build as the newest one, unless there is a whole one of the same sources. */
async function publish(build: NewestBuild): Promise<void> {
  if (!build.isWhole && builtProgram()?.isWhole) return
  const draft = `${NEWEST_FILE}.${process.pid}.tmp`
  await Bun.write(draft, JSON.stringify(build))
  renameSync(draft, NEWEST_FILE)
  const others = readdirSync(BUILDS)
    .filter((name) => /^[0-9a-f]{16}$/.test(name) && name !== build.name)
    .map((name) => path.join(BUILDS, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const folder of others.slice(KEPT_BUILDS)) rmSync(folder, { recursive: true, force: true })
}

/** Builds the whole program beside a running partial one, unless another process does so. */
async function buildBeside(): Promise<void> {
  if (builtProgram()?.isWhole || !isAlone()) return
  try {
    await buildProgram(true)
  } finally {
    rmSync(BUILDING_FILE, { force: true })
  }
}

/** Whether no other live process builds beside a program. */
function isAlone(): boolean {
  try {
    writeFileSync(BUILDING_FILE, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (isRunning(Number(readFileSync(BUILDING_FILE, 'utf8')))) return false
    writeFileSync(BUILDING_FILE, String(process.pid))
    return true
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

if (import.meta.main) {
  if (process.argv.includes('--beside')) await buildBeside()
  else console.log(await buildProgram(!process.argv.includes('--quick')))
}
