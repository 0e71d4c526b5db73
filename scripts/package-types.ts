/** Type declarations of the package's entries, written by the compiler. */
import path from 'node:path'
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
  for (const name of new Bun.Glob('**/*.d.ts').scanSync({ cwd: folder, absolute: true })) {
    const text = await Bun.file(name).text()
    // The compiler keeps imports of source files, which are not in the package.
    const named = text.replaceAll(/((?:from |import\()['"]\.[^'"]*)\.ts(['"])/g, '$1.js$2')
    await Bun.write(name, /\b(Async)?Disposable\b/.test(text) ? DISPOSABLE + named : named)
  }
}
