/**
 * The program as one executable: started from an empty folder, with an empty home folder and, where
 * the system allows it, without a network.
 */
import { beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { VERSION } from '../../src/platform/version.ts'
import { POCKET_FILES } from '../../src/server/browser/pocket-files.ts'
import { recordedRegistry } from '../fixtures/default-recording.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const BINARY = at('tapewright')
const VISIT = path.join(import.meta.dir, 'binary-visit.ts')

/** Nothing but an empty home folder; the path leads nowhere. */
const bare = (more: Record<string, string> = {}) => ({ HOME: at('home'), PATH: '/none', ...more })

/** A network namespace of its own has no route. */
const OFFLINE = ['unshare', '-rn']
const canBeOffline =
  Bun.which('unshare') !== null && Bun.spawnSync([...OFFLINE, 'ip', 'link']).exitCode === 0

async function ran(words: readonly string[], env: Record<string, string>) {
  const child = Bun.spawn([...words], {
    cwd: at('empty'),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env,
  })
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, out, err }
}

beforeAll(async () => {
  for (const name of ['home', 'empty']) mkdirSync(at(name))
  const build = path.join(PROJECT_FOLDER, 'scripts', 'binary-build.ts')
  const { code, err } = await ran([process.execPath, build, BINARY], process.env as never)
  expect([code, err]).toEqual([0, ''])
})

test('it is smaller than 164 MB, and prints its version without other files', async () => {
  expect(statSync(BINARY).size).toBeLessThan(164e6)
  expect(await ran([BINARY, '--version'], bare())).toEqual({
    code: 0,
    out: `${VERSION}\n`,
    err: '',
  })
  expect(readdirSync(at('empty'))).toEqual([])
})

test('it casts, serves, continues after its tape, keeps a state file and conforms', async () => {
  const tape = at('short.tape.ndjson')
  const synth = ['tape', 'synth', '--seed', '7', '--minutes', '1', '--coins', '1', '--pairs', '0']
  const made = await ran([BINARY, ...synth, '--out', tape], bare())
  expect([made.code, made.err]).toEqual([0, ''])
  const words = [process.execPath, VISIT, BINARY, tape, at('home')]
  const offline = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh', ...words]
  const env = { ...process.env, HOME: at('home') } as Record<string, string>
  const { code, out, err } = await ran(canBeOffline ? [...OFFLINE, ...offline] : words, env)
  expect([code, code === 0 ? '' : out + err]).toEqual([0, ''])
  expect(JSON.parse(out)).toEqual({
    reachesNetwork: !canBeOffline && expect.anything(),
    read: 200,
    channel: 'trades',
    grown: true,
    scenario: 'stale-book',
    page: 200,
    console: 2,
    conform: [0, expect.stringContaining('0 failed')],
    health: [0, expect.stringContaining('is ready')],
    pocket: [0, expect.stringContaining(', a week, ')],
    ended: 0,
  })
  expect(readdirSync(at('empty'))).toEqual([])
  expect(readdirSync(at('home/pocket')).sort()).toEqual(Object.values(POCKET_FILES).sort())
  const kept = readdirSync(path.join(at('home'), '.cache', 'tapewright'))
  expect(kept.sort().join(' ')).toMatch(/^grown-.* world-\w+\.sqlite\.seal$/)
})

test('its first start unpacks the world of the default tape, and casts nothing', async () => {
  const cache = at('unpacked')
  const { code, out, err } = await ran(
    [BINARY, 'cast', '--json'],
    bare({ TAPEWRIGHT_CACHE: cache }),
  )
  expect([code, err]).toEqual([0, expect.not.stringContaining('casting')])
  expect(JSON.parse(out).coins).toContain('BTC')
  expect(readdirSync(cache).sort().join(' ')).toMatch(/^world-\w+\.sqlite world-\w+\.sqlite\.seal$/)
})

test('the tape and the world of a checkout are those of the binary', async () => {
  await recordedRegistry()
  const cache = { TAPEWRIGHT_CACHE: path.join(PROJECT_FOLDER, '.cache', 'worlds') }
  const { code, out, err } = await ran([BINARY, 'cast', '--json'], bare(cache))
  expect([code, err]).toEqual([0, ''])
  expect(JSON.parse(out).coins).toContain('BTC')
})

test('a read-only or missing home folder is reported with the remedy', async () => {
  writeFileSync(at('file'), '')
  const { code, err } = await ran([BINARY, 'serve', '--port', '0'], bare({ HOME: at('file') }))
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(
      /^tapewright: cannot write worlds into \S+ \(.+\): make it writable, or set TAPEWRIGHT_CACHE/,
    ),
  ])
})
