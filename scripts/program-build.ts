/**
 * Builds the program into a few files of compiled code, which start in a third of the time that its
 * sources need: each of those is found, read, translated and compiled one by one.
 */
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import {
  BUILDS,
  buildName,
  lastWrittenMs,
  mainOf,
  NEWEST_FILE,
  type NewestBuild,
} from './built-program.ts'
import { ROOT } from './install.ts'
import { bundleProgram } from './program-bundle.ts'

/** What decides the build besides what the entry points lead to. */
const SETTINGS = [
  'package.json',
  'bun.lock',
  'tsconfig.json',
  'scripts/program-bundle.ts',
  'scripts/browser-bundle.ts',
]

/** Earlier builds that are kept: a program may still run from one of them. */
const KEPT_BUILDS = 2

/**
 * Builds the sources as they are; answers with the main file. Throws what is wrong with them.
 *
 * Each build has a folder of its own, since a program that runs starts its threads from there.
 */
async function buildProgram(): Promise<string> {
  // A source that changes while it is read must not pass for what was read.
  const before = new Map(sources().map((input) => [input, lastWrittenMs(input)]))
  const draft = path.join(BUILDS, `build.${process.pid}.tmp`)
  try {
    const inputs = [
      ...new Set([...(await bundleProgram(draft)).filter(isOurs), ...SETTINGS]),
    ].sort()
    const name = buildName(inputs, (input) => before.get(input) ?? lastWrittenMs(input))
    // Another process may have built the same at the same time.
    if (!existsSync(mainOf(name))) renameSync(draft, path.join(BUILDS, name))
    await publish({ name, inputs })
    return mainOf(name)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function sources(): string[] {
  return [...new Bun.Glob('{src,seed}/**/*').scanSync({ cwd: ROOT }), ...SETTINGS]
}

const isOurs = (input: string) => !input.includes('node_modules/')

async function publish(build: NewestBuild): Promise<void> {
  const draft = `${NEWEST_FILE}.${process.pid}.tmp`
  await Bun.write(draft, JSON.stringify(build))
  renameSync(draft, NEWEST_FILE)
  const others = readdirSync(BUILDS)
    .filter((name) => /^[0-9a-f]{16}$/.test(name) && name !== build.name)
    .map((name) => path.join(BUILDS, name))
    .sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs)
  for (const folder of others.slice(KEPT_BUILDS)) rmSync(folder, { recursive: true, force: true })
}

if (import.meta.main) console.log(await buildProgram())
