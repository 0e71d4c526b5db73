/** The package's command on a machine that has Node and no Bun but the one that npm brings. */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { consoleSizes } from '../fixtures/console-files.ts'
import { MACHINE_ENVIRONMENT } from '../fixtures/machine-node.ts'
import { listeningAt, type ServeProcess } from '../fixtures/serve-process.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { castWorlds } from './cast-worlds.ts'
import {
  HAS_NODE,
  type InstalledPackage,
  installedPackage,
  NODE,
  NPM,
  ran,
} from './installed-package.ts'

const at = temporaryFolder()

describe.skipIf(!HAS_NODE)('the command of the package (needs node and npm)', () => {
  let installed: InstalledPackage
  let env: Record<string, string>
  const started: ServeProcess[] = []
  const bin = (folder = installed.folder) => path.join(folder, 'lib', 'js', 'bin.cjs')
  const tapewright = (...words: string[]) => ran([NODE, bin(), ...words], { env })

  beforeAll(async () => {
    installed = await installedPackage()
    mkdirSync(at('path'))
    symlinkSync(NODE, at('path/node'))
    symlinkSync('/bin/sh', at('path/sh'))
    // The world is cast already: casting takes long, and other tests cover it.
    mkdirSync(at('cache/tapewright'), { recursive: true })
    const worlds = await castWorlds()
    for (const name of new Bun.Glob('world-*.{sqlite,seal}').scanSync({ cwd: worlds }))
      symlinkSync(path.join(worlds, name), at(`cache/tapewright/${name}`))
    env = { PATH: at('path'), XDG_CACHE_HOME: at('cache'), HOME: at('home') }
  })
  // Not by SIGKILL, which Node could not pass on.
  afterEach(async () => {
    for (const child of started.splice(0)) {
      child.kill('SIGTERM')
      await child.exited
    }
  })

  function serve(command: string[]): ServeProcess {
    const child = Bun.spawn([...command, 'serve', '--port', '0'], {
      cwd: installed.project,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      env: { ...MACHINE_ENVIRONMENT, ...env },
    })
    started.push(child)
    return child
  }

  test('it prints its version, and nothing else', async () => {
    const output = { code: 0, out: `${packageJson.version}\n`, err: '' }
    expect(await tapewright('--version')).toEqual(output)
    const npx = await ran([NPM, 'exec', '--offline', '--loglevel=error', '--', 'tapewright', '-V'])
    expect(npx).toEqual(output)
  })

  test('exit codes and messages are passed on', async () => {
    expect((await tapewright('no-such-command')).code).toBe(2)
    const { code, out, err } = await tapewright('tape', 'info', 'nowhere.ndjson')
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^tapewright: .+\n$/)])
    const bench = await tapewright('bench')
    expect([bench.code, bench.err]).toEqual([1, expect.stringContaining('in a checkout')])
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    "it serves from the user's cache, and ends in good order by %s",
    async (signal) => {
      const child = serve([NODE, bin()])
      const origin = await listeningAt(child)
      const page = await fetch(`${origin}/swagger/scalar.js`)
      expect(page.status).toBe(200)
      expect(await consoleSizes(origin)).toEqual([expect.any(Number), expect.any(Number)])
      child.kill(signal)
      expect(await child.exited).toBe(0)
      const output = await child.stderr.text()
      expect([output.includes(`${signal}: ending`), output.includes('casting')]).toEqual([
        true,
        false,
      ])
    },
  )

  test('its help has no command that runs in a checkout only', async () => {
    const { out } = await tapewright('--help')
    expect(out).toContain('serve')
    expect(out).not.toContain('bench')
    const { code, err } = await tapewright('bench')
    expect([code, err]).toEqual([1, expect.stringContaining('in a checkout')])
  })

  test('a port in use is reported, with the remedy', async () => {
    const origin = await listeningAt(serve([NODE, bin()]))
    const { port } = new URL(origin)
    const { code, err } = await tapewright('serve', '--port', port)
    expect(code).toBe(1)
    expect(err).toContain(`127.0.0.1:${port}`)
    expect(err).toContain('--port 0')
  })

  test('Node runs the suite of the package against it, over HTTP and sockets', async () => {
    const origin = await listeningAt(serve([NODE, bin()]))
    const code = `import { conform } from 'tapewright/conformance'
      const only = ['authentication.', 'sockets.subscriptions.', 'sockets.pushes.']
      const { counts, results } = await conform({ controlUrl: '${origin}/_control', only })
      console.log(counts.passed > 20)
      for (const { id, verdict, message } of results)
        if (verdict === 'failed') console.log(id, message)`
    const run = await ran([NODE, '--input-type=module', '-e', code])
    expect(run).toEqual({ code: 0, out: 'true\n', err: '' })
  })

  test('a server ends with the npm that started it', async () => {
    const child = serve([NPM, 'exec', '--offline', '--loglevel=error', '--', 'tapewright'])
    const origin = await listeningAt(child)
    child.kill('SIGTERM')
    await child.exited
    // A process that has it open keeps its output open.
    expect(await child.stderr.text()).toContain('SIGTERM: ending')
    expect(fetch(origin)).rejects.toThrow()
  })

  /** A copy of the install in which the Bun of npm is as its scripts would have found it. */
  function copyWithoutScripts(name: string): string {
    const modules = at(`${name}/node_modules`)
    const from = path.join(installed.project, 'node_modules')
    cpSync(installed.folder, path.join(modules, 'tapewright'), { recursive: true })
    const skipsPrograms = (file: string) => !/bunx?\.exe$/.test(file)
    const bun = path.join(modules, 'bun')
    cpSync(path.join(from, 'bun'), bun, { recursive: true, filter: skipsPrograms })
    cpSync(path.join(from, '@oven'), path.join(modules, '@oven'), { recursive: true })
    return path.join(modules, 'tapewright')
  }

  test('it runs without install scripts', async () => {
    const folder = copyWithoutScripts('refused')
    const [platform = ''] = new Bun.Glob('bun-*').scanSync({
      cwd: at('refused/node_modules/@oven'),
      onlyFiles: false,
    })
    const program = path.join(installed.project, 'node_modules', 'bun', 'bin', 'bun.exe')
    const place = at(`refused/node_modules/@oven/${platform}/bin`)
    rmSync(place, { recursive: true, force: true })
    mkdirSync(place)
    symlinkSync(program, path.join(place, 'bun'))
    await Bun.write(at('refused/node_modules/bun/bin/bun.exe'), 'echo "not installed"\n')
    const { code, out } = await ran([NODE, bin(folder), '--version'], { env })
    expect([code, out]).toEqual([0, `${packageJson.version}\n`])
  })

  test('without Bun the error says how to get it', async () => {
    const folder = copyWithoutScripts('without')
    rmSync(at('without/node_modules/@oven'), { recursive: true })
    const { code, out, err } = await ran([NODE, bin(folder), '--version'], { env })
    expect([code, out, err]).toEqual([1, '', expect.stringMatching(/^tapewright: .*Bun.*\n$/)])
    expect(err).toContain('install')
  })

  test('a Node that is too old is reported', async () => {
    const code = `Object.defineProperty(process.versions, 'node', { value: '18.20.0' })
      await import(${JSON.stringify(bin())})`
    const run = await ran([NODE, '--input-type=module', '-e', code], { env })
    const err = 'tapewright: Node 18.20.0 is too old, 20 or later is needed\n'
    expect(run).toEqual({ code: 1, out: '', err })
  })
})
