/** The package as users get it: packed by npm, and installed by npm into an empty project. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { install } from '../../scripts/install.ts'
import { lockFile } from '../../src/market/world/world-file.ts'
import * as machine from '../fixtures/machine-node.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'

/** Kept from run to run. Test tools are installed here: Node finds them from below. */
const CACHE = path.join(PROJECT_FOLDER, '.cache', 'package')

/** The project into which the package is installed. */
const CONSUMER = path.join(CACHE, 'consumer')

/** The sources of the package, in a checkout. */
const SOURCES = [
  '{src,scripts,seed,scenarios,recordings}/**/*',
  'test/package/tools/*',
  '{package.json,bun.lock,tsconfig.json,tsconfig.package.json,README.md,CHANGELOG.md}',
]

/** Without them, tests of the package are skipped by name. */
export const HAS_NODE = machine.NODE !== null && machine.NPM !== null
export const NODE = machine.NODE ?? ''
export const NPM = machine.NPM ?? ''

export interface InstalledPackage {
  /** The file that npm has packed. */
  tarball: string
  /** The project into which it is installed; other folders may be made in it. */
  project: string
  /** The installed package itself. */
  folder: string
  /** The program of a tool, to be run by Node. */
  tool(name: string): string
}

/** Packs and installs it, unless that has been done since the sources changed. */
export async function installedPackage(): Promise<InstalledPackage> {
  mkdirSync(CONSUMER, { recursive: true })
  const release = await lockFile(path.join(CACHE, 'package'), () => {})
  try {
    const keyFile = Bun.file(path.join(CONSUMER, 'sources-key'))
    const key = keyOfSources()
    if (!(await keyFile.exists()) || (await keyFile.text()) !== key) {
      await packAndInstall()
      await keyFile.write(key)
    }
  } finally {
    release()
  }
  return {
    tarball: path.join(CONSUMER, tarballs()[0] ?? ''),
    project: CONSUMER,
    folder: path.join(CONSUMER, 'node_modules', 'tapewright'),
    tool: (name) => path.join(CACHE, 'node_modules', name),
  }
}

async function packAndInstall(): Promise<void> {
  for (const name of ['package.json', 'bun.lock'])
    copyFileSync(path.join(import.meta.dir, 'tools', name), path.join(CACHE, name))
  await install(CACHE)
  for (const name of tarballs()) rmSync(path.join(CONSUMER, name))
  await npm(PROJECT_FOLDER, 'pack', '--pack-destination', CONSUMER)
  const manifest = path.join(CONSUMER, 'package.json')
  if (!existsSync(manifest)) await Bun.write(manifest, '{"private": true, "type": "module"}\n')
  // Sockets of Node before version 22 are the user's to install.
  const packages = [`./${tarballs()[0]}`, 'ws@8.23.0']
  await npm(CONSUMER, 'install', ...packages, '--prefer-offline', '--no-audit')
}

const tarballs = () => readdirSync(CONSUMER).filter((name) => name.endsWith('.tgz'))

function keyOfSources(): string {
  const files = SOURCES.flatMap((some) => [...new Bun.Glob(some).scanSync({ cwd: PROJECT_FOLDER })])
  const state = files.sort().map((name) => {
    const { lastModified, size } = Bun.file(path.join(PROJECT_FOLDER, name))
    return `${name} ${lastModified} ${size}`
  })
  return Bun.hash(state.join('\n')).toString(16)
}

async function npm(cwd: string, ...args: string[]): Promise<void> {
  const { code, out, err } = await ran([NPM, ...args], { cwd })
  if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}\n${out}${err}`)
}

/** The output of a command, and its exit code. */
export async function ran(
  command: readonly string[],
  { cwd = CONSUMER, env = {} }: { cwd?: string; env?: Record<string, string | undefined> } = {},
) {
  const child = Bun.spawn([...command], {
    cwd,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...machine.MACHINE_ENVIRONMENT, NO_COLOR: '1', ...env },
  })
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, out, err }
}
