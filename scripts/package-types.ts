/** Type declarations of the package's entries, written by the compiler. */
import { rmSync } from 'node:fs'
import path from 'node:path'
import packageJson from '../package.json' with { type: 'json' }
import { ROOT } from './install.ts'

/** Not in a project's default types; ships with the types that need it. */
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n'

/** Writes them into a folder; throws compiler errors about sources that Node cannot run. */
export async function writeTypes(folder: string): Promise<void> {
  const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const project = path.join(ROOT, 'tsconfig.package.json')
  const { exitCode, stdout } = Bun.spawnSync([
    process.execPath,
    tsc,
    '-p',
    project,
    '--outDir',
    folder,
  ])
  if (exitCode !== 0) throw new Error(`the types cannot be written:\n${stdout}`)
  for (const name of declarationsIn(folder)) {
    const text = await Bun.file(name).text()
    // The compiler keeps imports of source files, which are not in the package.
    const named = text
      .replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2')
      .replaceAll(`"${TYPEBOX}"`, `"${ownTypebox(folder, name)}"`)
      .replaceAll(`'${TYPEBOX}'`, `'${ownTypebox(folder, name)}'`)
    await Bun.write(name, /\b(Async)?Disposable\b/.test(text) ? DISPOSABLE + named : named)
  }
  await copyTypebox(folder)
  await removeUnneeded(folder)
}

const declarationsIn = (folder: string) => [
  ...new Bun.Glob('**/*.d.ts').scanSync({ cwd: folder, absolute: true }),
]

// An install writes file by file: of TypeBox, whose code is bundled, a fifth of the files is
// declarations that ours need, and the compiler also writes those of what no entry shows.

const TYPEBOX = '@sinclair/typebox'

/** The copied declarations, as a file in the folder imports them. */
function ownTypebox(folder: string, name: string): string {
  const relative = path.relative(path.dirname(name), path.join(folder, 'typebox', 'index.js'))
  return relative.startsWith('.') ? relative : `./${relative}`
}

async function copyTypebox(folder: string): Promise<void> {
  const from = path.join(ROOT, 'node_modules', TYPEBOX, 'build', 'esm')
  for (const name of new Bun.Glob('**/*.d.mts').scanSync({ cwd: from })) {
    const text = await Bun.file(path.join(from, name)).text()
    const named = text.replaceAll(/(['"]\.[^'"]*)\.mjs(['"])/g, '$1.js$2')
    await Bun.write(path.join(folder, 'typebox', name.replace(/\.d\.mts$/, '.d.ts')), named)
  }
}

/** Removes what no entry of the package leads to. */
async function removeUnneeded(folder: string): Promise<void> {
  const needed = new Set<string>()
  const waiting = Object.values(packageJson.exports).flatMap((entry) =>
    typeof entry === 'string' ? [] : path.join(folder, entry.types.replace('./lib/types/', '')),
  )
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (needed.has(name)) continue
    needed.add(name)
    for (const [, imported = ''] of (await Bun.file(name).text()).matchAll(IMPORTED))
      waiting.push(path.resolve(path.dirname(name), imported.replace(/\.js$/, '.d.ts')))
  }
  for (const name of declarationsIn(folder)) if (!needed.has(name)) rmSync(name)
}

const IMPORTED = /(?:from |import\(|import )['"](\.[^'"]+)['"]/g
