/** A temporary folder for public tools on the documents of a real server. */
import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { install } from '../../scripts/install.ts'
import { pages } from '../../src/pages/documents/pages.ts'
import { controlOpenapi } from '../../src/server/control/openapi.ts'
import { CONTROL_OPERATIONS } from '../../src/server/control/operations.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

/** Separate from the project's own packages. */
const TOOLS = path.join(PROJECT_FOLDER, '.cache', 'document-tools')

async function installTools(): Promise<void> {
  mkdirSync(TOOLS, { recursive: true })
  for (const name of ['package.json', 'bun.lock'])
    copyFileSync(path.join(import.meta.dir, name), path.join(TOOLS, name))
  await install(TOOLS)
}

/** Installs the tools, writes the documents into the folder and returns runners. */
export async function workshop(folder: string) {
  await installTools()
  symlinkSync(path.join(TOOLS, 'node_modules'), path.join(folder, 'node_modules'), 'dir')
  const write = (name: string, text: string) => Bun.write(path.join(folder, name), text)
  for (const name of ['openapi.json', 'asyncapi.json'])
    await write(name, pages.get(`/${name}`)?.().body ?? '')
  await write('control.json', JSON.stringify(controlOpenapi(CONTROL_OPERATIONS)))

  /** Runs a program of the folder or of a tool; returns exit code and output. */
  async function run(program: string, ...args: string[]) {
    const process_ = Bun.spawn([process.execPath, program, ...args], {
      cwd: folder,
      stdout: 'pipe',
      stderr: 'pipe',
      env: { ...process.env, NO_COLOR: '1', REDOCLY_TELEMETRY: 'off' },
    })
    const [out, error] = await Promise.all([
      new Response(process_.stdout).text(),
      new Response(process_.stderr).text(),
    ])
    return { code: await process_.exited, out, text: out + error }
  }

  return {
    write,
    run,
    tool: (name: string, ...args: string[]) => run(`node_modules/.bin/${name}`, ...args),
    // The project's own compiler takes a tenth of the time of the tools' one.
    compile: (...files: string[]) => run(COMPILER, ...COMPILER_OPTIONS, ...files),
  }
}

const COMPILER = path.join(PROJECT_FOLDER, 'node_modules', 'typescript', 'bin', 'tsc')

const COMPILER_OPTIONS = [
  ...['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions'],
  ...['--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'],
]
