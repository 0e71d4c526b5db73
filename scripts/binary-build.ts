/**
 * `bun run build:binary [FILE]`: the program, Bun and all files that it reads as one executable for
 * this platform. Inside, it has the folders of the package, with the packed world of the default
 * tape, which its first start unpacks instead of casting it.
 */
import { cpSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { bundleBrowserWorker } from './browser-bundle.ts'
import { BUILDS } from './built-program.ts'
import { ROOT } from './install.ts'
import { copyReadFiles, ENTRY_POINTS, writeConsole } from './program-bundle.ts'
import { buildWorld } from './world-build.ts'

/** Root of embedded files in a compiled program. */
const INSIDE = process.platform === 'win32' ? 'B:/~BUN/root' : '/$bunfs/root'

/** Folder of the program in the package, from which it resolves everything else. */
const PROGRAM_FOLDER = 'lib/js'

/** Folder of packed worlds in the package. */
const WORLDS_FOLDER = 'lib/worlds'

const DEFAULT_FILE = path.join(
  BUILDS,
  process.platform === 'win32' ? 'tapewright.exe' : 'tapewright',
)

/** Writes the executable. Throws errors of the sources. */
async function buildBinary(file: string): Promise<void> {
  const draft = path.join(BUILDS, `binary.${process.pid}.tmp`)
  try {
    const folder = path.join(draft, 'package')
    copyFilesOfPackage(folder)
    await buildWorld(path.join(folder, WORLDS_FOLDER))
    await writeConsole(path.join(folder, PROGRAM_FOLDER, 'console'))
    await bundleBrowserWorker(path.join(folder, PROGRAM_FOLDER, 'browser'))
    const executable = path.join(draft, path.basename(file))
    await Bun.build({
      entrypoints: [
        ...ENTRY_POINTS.map((entry) => path.join(ROOT, entry)),
        await writeList(folder, path.join(draft, 'embedded-files.ts')),
      ],
      compile: { outfile: executable, autoloadDotenv: false, autoloadBunfig: false },
      target: 'bun',
      format: 'esm',
      bytecode: true,
      // Code common to the program and its threads is embedded once.
      splitting: true,
      root: folder,
      define: { 'import.meta.dir': JSON.stringify(`${INSIDE}/${PROGRAM_FOLDER}`) },
      naming: { entry: `${PROGRAM_FOLDER}/[name].[ext]`, asset: '[dir]/[name].[ext]' },
      // Functions and classes keep their names for error messages.
      minify: { whitespace: true, syntax: true, identifiers: true, keepNames: true },
    })
    mkdirSync(path.dirname(file), { recursive: true })
    renameSync(executable, file)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

function copyFilesOfPackage(folder: string): void {
  for (const name of ['recordings/default.tape.ndjson.zst', ...yamlFiles()])
    cpSync(path.join(ROOT, name), path.join(folder, name))
  copyReadFiles(path.join(folder, PROGRAM_FOLDER))
}

/** All of them, so that an incomplete checkout does not silently omit some. */
function yamlFiles(): string[] {
  return ['scenarios', 'scenarios/stories'].flatMap((folder) => {
    const files = [...new Bun.Glob(`${folder}/*.yaml`).scanSync({ cwd: ROOT })]
    if (files.length === 0) throw new Error(`there are no ${folder} to build the program with`)
    return files
  })
}

/** Writes a module that imports all files of a folder as files, scripts too; returns its path. */
async function writeList(folder: string, list: string): Promise<string> {
  const files = [...new Bun.Glob('**/*').scanSync({ cwd: folder, absolute: true })]
  const imports = files.map(
    (file, n) => `import file${n} from ${JSON.stringify(file)} with { type: 'file' }`,
  )
  await Bun.write(
    list,
    `${imports.join('\n')}\nexport default [${files.map((_, n) => `file${n}`)}]`,
  )
  return list
}

if (import.meta.main) {
  const file = path.resolve(process.argv[2] ?? DEFAULT_FILE)
  await buildBinary(file)
  console.log(`${file} (${(statSync(file).size / 1e6).toFixed(0)} MB)`)
}
