/** The cache of worlds: cast once, opened ever after, and never trusted when damaged. */
import { expect, test } from 'bun:test'
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import type { World } from '../../src/market/world/world.ts'
import { openWorld, tryLockFile } from '../../src/market/world/world-file.ts'
import { UserError } from '../../src/platform/user-error.ts'
import { handWrittenWorld } from '../fixtures/cast-world.ts'
import { handWrittenTape } from '../fixtures/hand-written-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()

/** Results of castings, by seed: the cache cannot tell that they are copied. */
const cast = new Map<string, Promise<World>>()

async function castCopy(seed: string, file: string): Promise<void> {
  const known = cast.get(seed) ?? handWrittenWorld(seed)
  cast.set(seed, known)
  copyFileSync((await known).db.filename, file)
}

async function open(cacheDir: string, seed: number | string = 1) {
  const logged: string[] = []
  const world = await openWorld({
    tapeDigest: handWrittenTape().digest,
    seed,
    cacheDir,
    log: (text) => logged.push(text),
    source: () => 'by hand',
    cast: (file) => castCopy(String(seed), file),
  })
  const trades = world.db.query<{ n: number }, []>('select count(*) n from trade').get()?.n
  world.close()
  return { logged, trades, meta: world.meta }
}

const worldFile = (folder: string) =>
  path.join(folder, readdirSync(folder).find((name) => name.endsWith('.sqlite')) ?? 'none')

test('a world is cast once and logs it, then it is only opened', async () => {
  const [first, second] = [await open(at('once')), await open(at('once'))]
  expect(first.logged).toHaveLength(1)
  expect(first.logged[0]).toContain('casting the world of by hand')
  expect(second.logged).toEqual([])
  expect(second).toMatchObject({ trades: first.trades as number, meta: first.meta })
  expect(first.meta.counts.trade).toBe(first.trades as number)
  expect(readdirSync(at('once')).filter((name) => name.includes('tmp'))).toEqual([])
})

test('each seed has a world of its own', async () => {
  await open(at('seeds'), 1)
  await open(at('seeds'), 'one')
  expect(readdirSync(at('seeds')).filter((name) => name.endsWith('.sqlite'))).toHaveLength(2)
})

test('a damaged file is noticed, wherever the damage is, and cast again', async () => {
  const folder = at('damaged')
  const { trades } = await open(folder)
  const intact = readFileSync(worldFile(folder))
  for (const place of [0, Math.floor(intact.length / 2), intact.length - 1]) {
    const bytes = Buffer.from(intact)
    bytes[place] = (bytes[place] as number) ^ 1
    writeFileSync(worldFile(folder), bytes)
    const again = await open(folder)
    expect(again.logged[0]).toContain('is damaged; casting it again')
    expect(again.trades).toBe(trades as number)
  }
  writeFileSync(worldFile(folder), intact.subarray(0, intact.length / 2))
  expect((await open(folder)).logged[0]).toContain('is damaged')
})

test('a world without its seal was not finished and is cast again', async () => {
  const folder = at('unsealed')
  await open(folder)
  rmSync(`${worldFile(folder)}.seal`)
  expect((await open(folder)).logged[0]).toContain('is damaged')
})

test('an unwritable folder is an error with a remedy', () => {
  writeFileSync(at('file'), 'not a folder')
  expect(open(path.join(at('file'), 'worlds'))).rejects.toThrow(
    /^cannot write worlds into .*: make it writable, or set TAPEWRIGHT_CACHE to a folder that is$/,
  )
})

test('an opened world is read-only', async () => {
  const world = await handWrittenWorld()
  expect(() => world.db.exec('delete from trade')).toThrow(/readonly|read-only/)
  world.close()
})

const drafts = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.includes('.tmp'))
    .sort()

test('a file that was only touched is sealed again, and not cast again', async () => {
  const folder = at('touched')
  await open(folder)
  const file = worldFile(folder)
  const writtenNs = () => statSync(file, { bigint: true }).mtimeNs
  utimesSync(file, 1_700_000_000, 1_700_000_000)
  expect(readFileSync(`${file}.seal`, 'utf8')).not.toContain(`${writtenNs()}`)
  expect((await open(folder)).logged).toEqual([])
  expect(readFileSync(`${file}.seal`, 'utf8')).toEndWith(` ${writtenNs()}\n`)
  expect(drafts(folder)).toEqual([])
})

test('if two need the same world at once, one casts it and the other waits', async () => {
  const [first, second] = await Promise.all([open(at('twice')), open(at('twice'))])
  expect([...first.logged, ...second.logged]).toEqual([
    expect.stringContaining('casting the world of by hand'),
    'another process is casting this world; waiting',
  ])
  expect(second.trades).toBe(first.trades as number)
})

test('leftovers of a process that ended while casting are removed, no other ones', async () => {
  const folder = at('swept')
  await open(folder, 1)
  const mine = worldFile(folder)
  rmSync(`${mine}.seal`)
  const [dead, living] = ['world-d.sqlite', 'world-f.sqlite'].map((name) => path.join(folder, name))
  for (const file of [mine, dead, living]) writeFileSync(`${file}.4711.0.tmp`, 'half')
  writeFileSync(`${dead}.4711.0.tmp-journal`, 'half')
  const release = tryLockFile(living ?? '')
  expect(release).toBeFunction()
  await open(folder, 1)
  expect(drafts(folder)).toEqual(['world-f.sqlite.4711.0.tmp'])
  release?.()
  rmSync(`${mine}.seal`)
  await open(folder, 1)
  expect(drafts(folder)).toEqual([])
})

test('a failed casting leaves nothing half-written, and can be repeated', async () => {
  const folder = at('failed')
  const request = { tapeDigest: handWrittenTape().digest, seed: 1, cacheDir: folder }
  const cast = async (file: string) => {
    for (const part of [file, `${file}-journal`]) writeFileSync(part, 'half')
    throw new UserError('no room')
  }
  const failing = openWorld({ ...request, log: () => {}, source: () => 'by hand', cast })
  expect(await failing.catch((error) => error.message)).toBe('no room')
  expect(readdirSync(folder).filter((name) => !name.endsWith('.lock'))).toEqual([])
  expect((await open(folder)).logged).toEqual([expect.stringContaining('casting the world')])
})
