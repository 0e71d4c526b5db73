/** The package with compilers and bundlers. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { type BuildOptions, build } from 'esbuild'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import {
  HAS_NODE,
  type InstalledPackage,
  installedPackage,
  NODE,
  ran,
} from './installed-package.ts'

/** Uses the types of each entry; errors do not compile. */
const TYPED = `
import { createSandbox, type SandboxHandle } from 'tapewright'
import { type Client, client, ServiceError } from 'tapewright/client'
import { conform, type Report } from 'tapewright/conformance'
import { OPERATIONS, sign } from 'tapewright/contract'
import { control } from 'tapewright/control'
import { explore } from 'tapewright/explore'

const sandbox: SandboxHandle = await createSandbox({ clock: 'held' })
const service: Client = sandbox.client('full')
export const coins: string[] = (await service.perpdex.tickers()).map(({ coin }) => coin)
service.subscribe('l2Book', { coin: 'BTC' }, ({ coin }, { stale }) => [coin, stale])
// @ts-expect-error: there is no such parameter
void service.perpdex.fillsOfAddress({ path: { adress: '' } })
// @ts-expect-error: a clock has no such state
void createSandbox({ clock: 'stopped' })
export const ids: string[] = OPERATIONS.map(({ id }) => id)
export const report: Promise<Report> = conform({ controlUrl: '' })
await control('http://127.0.0.1:4010').sandboxes.list()
export const { runs } = await explore(({ claim, signal }) => [claim, signal], { runs: 1 })
void [ServiceError, sign, client]
`

describe.skipIf(!HAS_NODE)('the package (needs node and npm)', () => {
  let installed: InstalledPackage
  const at = (name: string) => path.join(installed.project, 'consumers', name)
  beforeAll(async () => {
    installed = await installedPackage()
    mkdirSync(at(''), { recursive: true })
  })

  test.each([
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('an empty strict project compiles, module %s, resolved as %s', async (module, resolution) => {
    const compilerOptions = {
      noEmit: true,
      strict: true,
      skipLibCheck: false,
      types: [],
      target: 'es2023',
      module,
      moduleResolution: resolution,
    }
    await Bun.write(at('typed.ts'), TYPED)
    await Bun.write(at('tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }))
    const tsc = path.join(PROJECT_FOLDER, 'node_modules', 'typescript', 'bin', 'tsc')
    const { code, out } = await ran([NODE, tsc, '-p', '.'], { cwd: at('') })
    expect([code, out]).toEqual([0, ''])
  })

  const bundled = (stdin: string, options: BuildOptions = {}) =>
    build({
      stdin: { contents: stdin, resolveDir: at('') },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      metafile: true,
      logLevel: 'silent',
      ...options,
    })

  test.each(['client', 'contract', 'control'])('a page can bundle %s', async (entry) => {
    const { outputFiles, metafile } = await bundled(`export * from 'tapewright/${entry}'`)
    expect(Object.values(metafile?.outputs ?? {}).flatMap(({ imports }) => imports)).toEqual([])
    expect(outputFiles?.[0]?.text).not.toMatch(/\bnode:|\bcreateRequire\b|\bprocess\./)
  })

  test('unused imports leave nothing in the bundle', async () => {
    const entries = ['client', 'conformance', 'contract', 'control'].map((one) => `/${one}`)
    for (const entry of ['', ...entries]) {
      const code = `import 'tapewright${entry}'`
      const { outputFiles } = await bundled(code, { platform: 'node' })
      expect([entry, outputFiles?.[0]?.text.trim()]).toEqual([entry, ''])
    }
  })

  test('a page signs as Node does', async () => {
    const code = `import { sign } from 'tapewright/contract'
      globalThis.signed = sign({ AccessKeyId: 'demo', SignatureNonce: '7', Timestamp: '1' }, 's')`
    const { outputFiles } = await bundled(code, { format: 'iife' })
    // Nothing of Node or Bun exists, only the interfaces of a page.
    await Bun.write(at('page.js'), outputFiles?.[0]?.text ?? '')
    const run = `const page = { btoa, TextEncoder }; page.globalThis = page
      require('node:vm').runInNewContext(require('node:fs').readFileSync('page.js', 'utf8'), page)
      console.log(page.signed)`
    const { out, err } = await ran([NODE, '-e', run], { cwd: at('') })
    const { sign } = await import('../../src/contract/signature.ts')
    const right = sign({ AccessKeyId: 'demo', SignatureNonce: '7', Timestamp: '1' }, 's')
    expect([out, err]).toEqual([`${right}\n`, ''])
  })

  test('without WebSocket the error says what to install', async () => {
    const code = `import Module from 'node:module'
      import { client } from 'tapewright/client'
      delete globalThis.WebSocket
      const resolve = Module._resolveFilename
      Module._resolveFilename = (name, ...more) => {
        if (name !== 'ws') return resolve(name, ...more)
        throw Object.assign(new Error('not there'), { code: 'MODULE_NOT_FOUND' })
      }
      const service = client({ baseUrl: 'http://127.0.0.1:1', accessKey: 'a', secretKey: 's' })
      const { ready } = service.subscribe('bbo', { coin: 'BTC' }, () => {}, {
        onEvent: ({ type }) => console.log(type),
      })
      await ready.catch((error) => console.log(error.name, error.message))`
    const { code: ended, out } = await ran([NODE, '--input-type=module', '-e', code])
    expect(ended).toBe(0)
    expect(out).toContain('run `npm install ws`, or take Node 22 or later')
  })

  test('Node loads every entry without a warning', async () => {
    const entries = ['', '/client', '/conformance', '/contract', '/control', '/explore']
    const code = `for (const entry of ${JSON.stringify(entries)})
      console.log(Object.keys(await import('tapewright' + entry)).length > 0)`
    const run = await ran([NODE, '--input-type=module', '-e', code])
    expect(run).toEqual({ code: 0, out: 'true\n'.repeat(entries.length), err: '' })
  })
})
