import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { hostClock } from '../../src/clock/system-clock.ts'
import { isFull, partName } from '../../src/tape/recorder/file/file-sink.ts'
import type { RecordingSettings } from '../../src/tape/recorder/recording.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { begunRecording } from '../fixtures/begun-recording.ts'
import { readTape, userErrorOf } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()

const begun = (name: string, more: Partial<RecordingSettings> = {}) =>
  begunRecording(at(name), more)

const textsOf = async (path: string): Promise<unknown[]> =>
  (await readTape(path)).map(({ data }) => (data as { text?: string }).text)

for (const name of ['going.tape.ndjson', 'going.tape.ndjson.zst'])
  test(`a recording is readable in progress, and a tape when it has ended: ${name}`, async () => {
    const { recording, frame } = await begun(name)
    await frame('one')
    await frame('two')
    const going = await openTape(at(name))
    expect([going.header.open, going.header.counts]).toEqual([true, { frame: 2 }])
    recording.add('frame', { connection: 1, direction: 'out', text: 'three' })
    await recording.end()
    const { header } = await openTape(at(name))
    expect([header.open, header.counts, header.source]).toEqual([undefined, { frame: 3 }, 'a test'])
    expect(await textsOf(at(name))).toEqual(['one', 'two', 'three'])
    expect(recording.counts).toEqual({ events: 3, lost: 0, files: 1 })
    expect(readdirSync(dirname(at(name))).filter((one) => one.endsWith('.tmp'))).toEqual([])
  })

test('an empty recording is a tape too', async () => {
  const { recording } = await begun('nothing')
  await recording.end()
  expect(await readTape(at('nothing'))).toEqual([])
})

test('a full disk is reported once, pending lines are written once there is space', async () => {
  const { recording, frame, said, disk } = await begun('full.zst')
  await frame('before')
  disk.isFull = true
  await frame('first')
  await frame('second')
  expect(said).toEqual(['full.zst: the disk was full; traffic goes on, and it is tried again'])
  expect(await textsOf(at('full.zst'))).toEqual(['before'])
  disk.isFull = false
  await frame('after')
  await recording.end()
  expect(said.slice(1)).toEqual(['full.zst: it can be written again'])
  expect(await textsOf(at('full.zst'))).toEqual(['before', 'first', 'second', 'after'])
})

test('lines beyond the queue are counted, and reported in a gap', async () => {
  const { recording, frame, said, disk, clock, attempted } = await begun('gap', {
    waitingLettersMax: 64 << 10,
  })
  await frame('before')
  disk.isFull = true
  const large = 'x'.repeat(30 << 10)
  for (let count = 0; count < 4; count++) await frame(large)
  const fromMs = clock.systemClock.nowMs() - 2000
  expect(said.slice(1)).toEqual(['events are being lost: the disk was full'])
  disk.isFull = false
  while (!said.at(-1)?.endsWith('it can be written again'))
    await attempted(() => clock.advance(1000))
  await frame('after')
  await recording.end()
  const events = await readTape(at('gap'))
  expect(events.map(({ kind }) => kind)).toEqual(['frame', 'frame', 'frame', 'gap', 'frame'])
  expect(events[3]?.data).toEqual({ fromMs, why: 'the disk was full', lost: 2 })
  expect(recording.counts).toEqual({ events: 5, lost: 2, files: 1 })
})

test('a disk that stays full leaves a readable file and a report of the lost records', async () => {
  const { recording, frame, said, disk } = await begun('stays')
  await frame('before')
  disk.isFull = true
  await frame('lost')
  await recording.end()
  expect(said.at(-1)).toBe('1 events could not be written: the disk was full')
  expect(await textsOf(at('stays'))).toEqual(['before'])
  expect(recording.counts).toEqual({ events: 1, lost: 1, files: 1 })
})

test('a recording continues in another file, which begins with the open sockets', async () => {
  const rotation = { everyMs: 1500 }
  const { recording, frame, open } = await begun('parts.tape.ndjson', { rotation })
  open()
  await frame('one')
  await frame('two')
  await frame('three')
  await recording.end()
  expect(recording.counts).toEqual({ events: 5, lost: 0, files: 2 })
  expect(await textsOf(at('parts.0001.tape.ndjson'))).toEqual([undefined, 'one', 'two'])
  const [first, ...others] = await readTape(at('parts.0002.tape.ndjson'))
  expect(first?.data).toMatchObject({ event: 'open', url: '/ws', continued: true })
  expect(others.map(({ data }) => (data as { text?: string }).text)).toEqual(['three'])
})

test('an existing file is skipped, and left unchanged', async () => {
  writeFileSync(at('over.0002'), 'mine')
  const { recording, frame, said } = await begun('over', { rotation: { everyMs: 500 } })
  await frame('one')
  await frame('two')
  await recording.end()
  expect(said).toEqual([])
  expect(recording.counts).toEqual({ events: 2, lost: 0, files: 2 })
  expect(readFileSync(at('over.0002'), 'utf8')).toBe('mine')
  expect(await textsOf(at('over.0003'))).toEqual(['two'])
})

test('a disk that is full when another file is begun is written to when it has space', async () => {
  const { recording, frame, open, said, disk } = await begun('room', {
    rotation: { everyMs: 500 },
  })
  open()
  await frame('one')
  disk.writesLeft = 1
  await frame('two')
  while (said.length === 0) await hostClock.yieldTurn()
  disk.writesLeft = Number.POSITIVE_INFINITY
  await frame('three')
  await recording.end()
  expect(said.map((line) => line.split(';')[0])).toEqual([
    'room.0001: the disk was full',
    'room.0002: it can be written again',
  ])
  expect(await textsOf(at('room.0002'))).toEqual([undefined, 'two', 'three'])
  expect(recording.counts).toEqual({ events: 5, lost: 0, files: 2 })
})

test('a file is full by its size or its time, and never without an event', () => {
  const file = { bytes: 100, events: 1, startMs: 1000 }
  expect(isFull(file, 5000, {})).toBe(false)
  expect([isFull(file, 5000, { sizeBytes: 101 }), isFull(file, 5000, { sizeBytes: 100 })]).toEqual([
    false,
    true,
  ])
  expect([isFull(file, 1999, { everyMs: 1000 }), isFull(file, 2000, { everyMs: 1000 })]).toEqual([
    false,
    true,
  ])
  expect(isFull({ ...file, events: 0 }, 9e9, { sizeBytes: 1, everyMs: 1 })).toBe(false)
  expect(partName('/a/b.tape.ndjson.zst', 12, { everyMs: 1 })).toBe('/a/b.0012.tape.ndjson.zst')
  expect(partName('b', 3, { sizeBytes: 1 })).toBe('b.0003')
  expect(partName('b', 1, {})).toBe('b')
})

test('an existing file is not overwritten, and the folder must exist', async () => {
  writeFileSync(at('there'), 'mine')
  expect(await userErrorOf(() => begun('there'))).toContain('exists already: name another file')
  expect(await userErrorOf(() => begun('no/where'))).toContain('cannot be written: ENOENT')
})
