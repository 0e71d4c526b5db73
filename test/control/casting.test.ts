/** Sandboxes on worlds that are not cast yet: they wait, and others do not. */
import { beforeAll, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { UserError } from '../../src/platform/user-error.ts'
import { Registry } from '../../src/sandbox/registry.ts'
import { worldProvider } from '../../src/sandbox/world-provider.ts'
import { castInProcess } from '../../src/sandbox/worlds/casting-process.ts'
import { cutTape } from '../../src/tape/cut.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { fixedClock } from '../fixtures/fixed-clock.ts'
import { pause } from '../fixtures/pause.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const TAPE = 'short'
const ORDER = {
  tapePath: TAPE,
  tapeDigest: 'd',
  seed: '1',
  history: { files: [], digest: '' },
  resumes: false,
  isApart: false,
  inBackground: true,
}

beforeAll(async () => {
  mkdirSync(at('recordings'))
  const recording = path.join(PROJECT_FOLDER, 'recordings', 'default.tape.ndjson.zst')
  const { startMs } = (await openTape(recording)).header
  const span = { fromMs: startMs, toMs: startMs + 300_000, coins: ['BTC'] }
  await cutTape(recording, at('recordings/short.tape.ndjson'), span)
  const lines = readFileSync(at('recordings/short.tape.ndjson'), 'utf8').split('\n')
  lines[lines.length >> 1] = '{"broken'
  writeFileSync(at('recordings/broken.tape.ndjson'), lines.join('\n'))
})

function newRegistry(cacheDir: string) {
  const logged: string[] = []
  const log = (line: string) => logged.push(line)
  const recordings = at('recordings')
  const provider = worldProvider({ tape: TAPE, seed: 1, recordings, cacheDir, log })
  const registry = new Registry(provider, ['HL_TICKERS'], { clock: 'held' }, fixedClock)
  return { registry, logged, castings: () => provider.castings?.() ?? [] }
}

const castingsIn = (logged: string[]) =>
  logged.filter((line) => line.includes('casting the world')).length

test('progress begins with the casting, before its first event is cast', async () => {
  const recordings = at('recordings')
  const lines = readFileSync(path.join(recordings, 'short.tape.ndjson'), 'utf8').split('\n')
  lines[1] = '{"broken'
  writeFileSync(path.join(recordings, 'unbegun.tape.ndjson'), lines.join('\n'))
  const seen: number[] = []
  const provider = worldProvider({
    tape: 'unbegun',
    seed: 1,
    recordings,
    cacheDir: at('unbegun'),
    log: () => {},
    onProgress: ({ events }) => seen.push(events),
  })
  await expect(Promise.resolve().then(() => provider({}))).rejects.toThrow('line 2')
  expect(seen).toEqual([0])
})

test('two sandboxes share one casting, and others are created meanwhile', async () => {
  const { registry, logged, castings } = newRegistry(at('shared'))
  await registry.open()
  expect([castingsIn(logged), castings()]).toEqual([1, []])
  const slow = [registry.create({ seed: 7 }), registry.create({ seed: 7, name: 'second' })]
  while (castings().length === 0) await pause()
  const quick = await registry.create({ name: 'quick' })
  expect(quick.id).toBe('quick')
  const [casting] = castings()
  expect(casting?.of).toBeGreaterThan(0)
  const [first, second] = await Promise.all(slow)
  expect(second?.world).toBe(first?.world)
  expect(first?.world.id).not.toBe(quick.world.id)
  expect(casting?.world).toBe(first?.world.id ?? '')
  expect([castingsIn(logged), castings()]).toEqual([2, []])
})

test('a casting shows how many of its tape’s events are done', async () => {
  const tapePath = at('recordings/short.tape.ndjson')
  const { header } = await openTape(tapePath)
  const seen: number[] = []
  const order = { ...ORDER, tapePath, file: at('world.sqlite') }
  await castInProcess(order, (events) => seen.push(events))
  expect(seen.length).toBeGreaterThan(1)
  expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  expect(seen.at(-1)).toBe(Object.values(header.counts).reduce((sum, one) => sum + one, 0))
})

test('a world cast in a process of its own is the same, byte for byte', async () => {
  const fileOf = (folder: string) => {
    const name = readdirSync(folder).find((one) => one.endsWith('.sqlite')) ?? ''
    return Bun.SHA256.hash(readFileSync(`${folder}/${name}`), 'hex')
  }
  for (const name of ['one', 'other']) await newRegistry(at(name)).registry.open()
  expect(fileOf(at('one'))).toBe(fileOf(at('other')))
})

test('an error of a tape reaches all waiting calls, and leaves no partial file', async () => {
  const { registry } = newRegistry(at('broken'))
  const made = [1, 2].map((n) =>
    registry.create({ tape: 'broken', name: `n${n}` }).catch((error) => error),
  )
  const [first, second] = await Promise.all(made)
  expect(first).toBeInstanceOf(UserError)
  expect(first.message).toMatch(/broken\.tape\.ndjson: line \d+ is not JSON/)
  expect(second.message).toBe(first.message)
  expect(registry.list()).toEqual([])
  expect(readdirSync(at('broken')).filter((name) => !name.endsWith('.lock'))).toEqual([])
})

test('a process that ends before it is done is a UserError, not silence', async () => {
  const { spawn } = Bun
  Bun.spawn = ((command: string[], options: object) => {
    const child = spawn(command, options)
    child.kill()
    return child
  }) as typeof spawn
  try {
    const order = { ...ORDER, file: at('none') }
    const failed = await castInProcess(order, () => {}).catch((error) => error)
    expect(failed).toBeInstanceOf(UserError)
    expect(failed.message).toContain('ended before it was done (by SIGTERM)')
  } finally {
    Bun.spawn = spawn
  }
})
