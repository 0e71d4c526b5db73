/**
 * Writes `lib`, the contents of the package: the built program, the entries that `package.json`
 * exports, their types, and the packed world of the default tape, which a first start unpacks
 * instead of casting it. An entry `./name` of the exports is built from `src/entries/name.ts`.
 */
import { renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { ROOT } from './install.ts'
import { bundleLauncher, bundleLibrary } from './library-bundle.ts'
import { licencesOf } from './package-licences.ts'
import { writeTypes } from './package-types.ts'
import { bundleProgram } from './program-bundle.ts'
import { buildWorld } from './world-build.ts'

/** Staging folder of the packaged part of `lib`. */
const LIB = path.join(ROOT, 'lib')

/** Throws errors of the sources. */
async function buildPackage(): Promise<void> {
  const draft = path.join(ROOT, `lib.${process.pid}.tmp`)
  try {
    const inputs = await bundleProgram(path.join(draft, 'js'))
    await leanSourceMaps(path.join(draft, 'js'))
    inputs.push(...(await bundleLibrary(path.join(draft, 'js'), entryNames())))
    await bundleLauncher(path.join(draft, 'js'))
    await writeTypes(path.join(draft, 'types'))
    await buildWorld(path.join(draft, 'worlds'))
    await Bun.write(path.join(draft, 'LICENCES.txt'), await licencesOf(inputs))
    rmSync(LIB, { recursive: true, force: true })
    renameSync(draft, LIB)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Names of the files in `src/entries`. */
const entryNames = () =>
  Object.keys(packageJson.exports)
    .filter((name) => name.startsWith('./') && !name.endsWith('.json'))
    .map((name) => name.slice(2))

/** Without embedded sources: names and lines suffice for a stack trace. */
async function leanSourceMaps(folder: string): Promise<void> {
  for (const name of new Bun.Glob('*.map').scanSync({ cwd: folder, absolute: true })) {
    const map = await Bun.file(name).json()
    map.sourcesContent = map.sources.map(() => '')
    await Bun.write(name, JSON.stringify(map))
  }
}

await buildPackage()
