/** Public linters accept the documents; the output of public generators compiles and works. */
import { beforeAll, expect, test } from 'bun:test'
import { hostClock } from '../../src/clock/system-clock.ts'
import { fakeRegistry } from '../fixtures/fake-market.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'
import { serveRegistry } from '../fixtures/test-server.ts'
import {
  MODELS,
  ORVAL,
  REDOCLY,
  SIGNING,
  SPECTRAL,
  SPECTRAL_ASYNCAPI,
  TYPES_USED,
  WITH_HEY,
  WITH_ORVAL,
} from './programs.ts'
import { workshop } from './workshop.ts'

/** Generators and compilers are slow, above all on a busy machine. */
const PATIENCE_MS = 300_000

const inFolder = temporaryFolder()
let tools: Awaited<ReturnType<typeof workshop>>

beforeAll(async () => {
  tools = await workshop(inFolder(''))
  const { origin } = await serveRegistry(await fakeRegistry({}, 60, hostClock))
  await tools.write('signing.ts', `export const ORIGIN = '${origin}'\n${SIGNING}`)
}, PATIENCE_MS)

/** Output of a compiler or a program; throws on failure. */
async function done(run: ReturnType<typeof tools.run>): Promise<string> {
  const { code, out, text } = await run
  expect([code, code === 0 ? '' : text]).toEqual([0, ''])
  return out
}

test.each(['openapi.json', 'control.json'])(
  'OpenAPI linters find nothing unexplained in %s',
  async (name) => {
    await tools.write('redocly.yaml', REDOCLY)
    const { text } = await tools.tool('redocly', 'lint', name)
    expect(text).toContain('is valid')
    expect(text).not.toContain('warning')
    await tools.write('.spectral.yaml', SPECTRAL)
    expect(
      JSON.parse(await done(tools.tool('spectral', 'lint', name, '-f', 'json', '-q'))),
    ).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'linters find nothing unexplained in asyncapi.json',
  async () => {
    await tools.write('.spectral.yaml', SPECTRAL_ASYNCAPI)
    expect(
      JSON.parse(await done(tools.tool('spectral', 'lint', 'asyncapi.json', '-f', 'json', '-q'))),
    ).toEqual([])
  },
  PATIENCE_MS,
)

test(
  'openapi-typescript: types distinguish text and numbers',
  async () => {
    await done(tools.tool('openapi-typescript', 'openapi.json', '-o', 'types.ts'))
    await tools.write('types-used.ts', TYPES_USED)
    await done(tools.compile('types-used.ts'))
  },
  PATIENCE_MS,
)

test(
  '@hey-api/openapi-ts: a client with an interceptor that signs',
  async () => {
    const flags = ['-i', 'openapi.json', '-o', 'hey', '-c', '@hey-api/client-fetch']
    await done(tools.tool('openapi-ts', ...flags))
    await tools.write('with-hey.ts', WITH_HEY)
    await done(tools.compile('with-hey.ts'))
    expect(await done(tools.run('with-hey.ts'))).toBe('BTC 101\n401 Invalid signature\n')
  },
  PATIENCE_MS,
)

test(
  'orval: a client over a fetch that signs',
  async () => {
    await tools.write('orval.config.cjs', ORVAL)
    await done(tools.tool('orval', '--config', 'orval.config.cjs'))
    await tools.write('with-orval.ts', WITH_ORVAL)
    await done(tools.compile('with-orval.ts'))
    expect(await done(tools.run('with-orval.ts'))).toBe('200 BTC 101\n')
  },
  PATIENCE_MS,
)

test(
  'AsyncAPI: its parser finds nothing, and Modelina makes types that have names',
  async () => {
    await tools.write('models.ts', MODELS)
    const { diagnostics, names } = JSON.parse(await done(tools.run('models.ts')))
    expect(diagnostics).toEqual([])
    expect(names).toEqual(expect.arrayContaining(['BookLevel', 'UserFill', 'NativePosition']))
    expect(names.filter((name: string) => name.startsWith('Anonymous'))).toEqual([])
    await done(tools.compile('all-models.ts'))
  },
  PATIENCE_MS,
)
