/** The published files: only the necessary ones, all of them, and in a working form. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { statSync } from 'node:fs'
import path from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import {
  HAS_NODE,
  type InstalledPackage,
  installedPackage,
  NODE,
  ran,
} from './installed-package.ts'

/** Maximum size of an install without the Bun that npm brings, bytes; the packed world is 28 MB. */
const INSTALLED_MAX = 68_000_000

describe.skipIf(!HAS_NODE)('the package (needs node and npm)', () => {
  let installed: InstalledPackage
  const filesOf = (folder: string) =>
    [...new Bun.Glob('**/*').scanSync({ cwd: folder, dot: true })].sort()
  beforeAll(async () => {
    installed = await installedPackage()
  })

  test('it contains the build, recording, packed world and scenarios, no sources or tests', () => {
    const files = filesOf(installed.folder)
    const places = new Set(files.map((name) => name.replace(/^(lib\/\w+|\w+)\/.*$/, '$1/')))
    expect([...places].sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'lib/',
      'lib/js/',
      'lib/types/',
      'lib/worlds/',
      'package.json',
      'recordings/',
      'scenarios/',
      'tapewright.schema.json',
    ])
    expect(files.filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.d.ts'))).toEqual([])
    expect(files.filter((name) => /\btest\b/.test(name))).toEqual([])
  })

  test('nothing in it contains the path where it was built', async () => {
    for (const name of filesOf(installed.folder)) {
      const bytes = Buffer.from(await Bun.file(path.join(installed.folder, name)).bytes())
      expect([name, bytes.includes(PROJECT_FOLDER)]).toEqual([name, false])
    }
  })

  test('an install weighs at most 68 MB without Bun', () => {
    const modules = path.join(installed.project, 'node_modules')
    const own = filesOf(modules).filter((name) => !/^(bun|@oven|\.bin)\//.test(name))
    const bytes = own.reduce((sum, name) => sum + statSync(path.join(modules, name)).size, 0)
    expect(bytes).toBeGreaterThan(1_000_000)
    expect(bytes).toBeLessThan(INSTALLED_MAX)
  })

  test('an install writes at most 500 files without Bun: npm takes a while for each', () => {
    const modules = path.join(installed.project, 'node_modules')
    const own = filesOf(modules).filter((name) => !/^(bun|@oven|\.bin)\//.test(name))
    expect(own.length).toBeLessThan(500)
  })

  test('its dependencies are the imports of its code and types, and Bun', async () => {
    const { dependencies, peerDependencies } = packageJson
    const imported = new Set(['bun'])
    const library = filesOf(installed.folder).filter((name) => !PROGRAM.test(name))
    for (const name of library) {
      const text = await Bun.file(path.join(installed.folder, name)).text()
      for (const from of importsOf(name, text)) if (!/^(\.|#|node:)/.test(from)) imported.add(from)
    }
    const named = [...Object.keys(dependencies), ...Object.keys(peerDependencies)]
    expect(named.sort()).toEqual([...imported].sort())
  })

  test('every dependency is of one exact version', () => {
    for (const version of Object.values(packageJson.dependencies))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/)
  })

  test('publint finds nothing', async () => {
    const cli = installed.tool('publint/src/cli.js')
    const { code, out } = await ran([NODE, cli, 'run', installed.tarball, '--strict'])
    expect([code, out]).toEqual([0, expect.stringContaining('All good!')])
  })

  test('types are right for every way to resolve them; there is no CommonJS', async () => {
    const cli = installed.tool('@arethetypeswrong/cli/dist/index.js')
    const args = ['--profile', 'esm-only', '--format', 'json']
    const { code, out } = await ran([NODE, cli, installed.tarball, ...args])
    const { analysis } = JSON.parse(out)
    expect(Object.keys(analysis.entrypoints)).toEqual(Object.keys(packageJson.exports))
    expect([code, analysis.problems.filter(isJudged)]).toEqual([0, []])
  })
})

/** The program is not imported, and bundles its dependencies. */
const PROGRAM = /^lib\/js\/(main|[\w-]+-worker)\.js$|\/scalar\.js/

function importsOf(name: string, text: string): string[] {
  if (name.endsWith('.d.ts'))
    return [...text.matchAll(/ from '(.+)';/g)].map(([, from = '']) => from)
  if (!name.endsWith('.js')) return []
  const required = [...text.matchAll(/import\.meta\.url\)\("(.+?)"\)/g)].map(
    ([, from = '']) => from,
  )
  const { imports } = new Bun.Transpiler({ loader: 'js' }).scan(text)
  return [...imports.map((one) => one.path), ...required]
}

/** The profile leaves out the parts of a package that are not for `require`. */
const isJudged = ({ resolutionKind }: { resolutionKind?: string }) =>
  resolutionKind !== 'node10' && resolutionKind !== 'node16-cjs'
