import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { fileDigest } from '../../src/tape/compression.ts'
import { EVENT_KINDS } from '../../src/tape/tape-event.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { createTape } from '../../src/tape/tape-writer.ts'
import {
  BTC,
  EVENTS_OF_EVERY_KIND,
  readTape,
  userErrorOf,
  writeTape,
} from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()

/** The lines of a valid tape with one event of each kind. */
async function soundLines(): Promise<string[]> {
  const file = at('sound.tape.ndjson')
  await writeTape(file, EVENTS_OF_EVERY_KIND)
  return readFileSync(file, 'utf8').trimEnd().split('\n')
}

/** The reader's error for these lines. */
async function refusalOf(name: string, text: string | Buffer): Promise<string> {
  const file = at(name)
  writeFileSync(file, text)
  return userErrorOf(() => readTape(file))
}

for (const name of ['plain.tape.ndjson', 'packed.tape.ndjson.zst'])
  test(`written events are read back: ${name}`, async () => {
    const header = await writeTape(at(name), EVENTS_OF_EVERY_KIND)
    expect(header.counts).toEqual(Object.fromEntries(EVENT_KINDS.map((kind) => [kind, 1])))
    expect([header.startMs, header.endMs]).toEqual([1000, 1015])
    expect((await openTape(at(name))).header).toEqual(header)
    expect(await readTape(at(name))).toEqual(
      EVENTS_OF_EVERY_KIND.map((event, i) => ({ ...event, seq: i + 1 })) as never,
    )
  })

test('a compressed tape is a plain one, compressed', async () => {
  await writeTape(at('a.tape.ndjson'), EVENTS_OF_EVERY_KIND)
  await writeTape(at('a.tape.ndjson.zst'), EVENTS_OF_EVERY_KIND)
  const packed = readFileSync(at('a.tape.ndjson.zst'))
  expect(packed.readUInt32LE(0)).toBe(0xfd2fb528)
  expect(zstdDecompressSync(packed).toString()).toBe(readFileSync(at('a.tape.ndjson'), 'utf8'))
})

test('compression is recognised by the bytes and not by the name', async () => {
  await writeTape(at('b.tape.ndjson.zst'), EVENTS_OF_EVERY_KIND)
  writeFileSync(at('b.renamed'), readFileSync(at('b.tape.ndjson.zst')))
  expect(await readTape(at('b.renamed'))).toHaveLength(EVENTS_OF_EVERY_KIND.length)
})

test('any number of zstd frames, cut anywhere, is one tape', async () => {
  const text = Buffer.from(`${(await soundLines()).join('\n')}\n`)
  const parts = Array.from({ length: Math.ceil(text.length / 37) }, (_, i) =>
    zstdCompressSync(text.subarray(i * 37, (i + 1) * 37)),
  )
  writeFileSync(at('frames'), Buffer.concat(parts))
  expect(await readTape(at('frames'))).toHaveLength(EVENTS_OF_EVERY_KIND.length)
})

test('the same events make the same bytes', async () => {
  await writeTape(at('one.zst'), EVENTS_OF_EVERY_KIND)
  await writeTape(at('two.zst'), EVENTS_OF_EVERY_KIND)
  expect(await fileDigest(at('one.zst'))).toBe(await fileDigest(at('two.zst')))
  const bytes = new Bun.CryptoHasher('sha256').update(readFileSync(at('one.zst')))
  expect(await fileDigest(at('one.zst'))).toBe(bytes.digest('hex'))
})

test('an unfinished tape is not visible, an abandoned one leaves no file', async () => {
  const tape = await createTape(at('never.tape.ndjson'), { source: 'test', instruments: [BTC] })
  for (const event of EVENTS_OF_EVERY_KIND) await tape.write(event)
  const left = () => readdirSync(path.dirname(at('x'))).filter((name) => name.startsWith('never'))
  expect(left()).not.toContain('never.tape.ndjson')
  await tape.abandon()
  expect(left()).toEqual([])
})

test('an older tape stays as it was until the new one is complete', async () => {
  await writeTape(at('again.tape.ndjson'), EVENTS_OF_EVERY_KIND.slice(0, 1))
  const tape = await createTape(at('again.tape.ndjson'), { source: 'test', instruments: [] })
  await tape.write(EVENTS_OF_EVERY_KIND[0] as never)
  const why = await userErrorOf(() => tape.finish())
  expect(why).toContain('no instrument is given for BTC')
  expect(await readTape(at('again.tape.ndjson'))).toHaveLength(1)
})

test('instruments may be named at the end, and must have decimals enough', async () => {
  const file = at('late.tape.ndjson')
  const write = async () => {
    const tape = await createTape(file, { source: 'test', instruments: [] })
    for (const event of EVENTS_OF_EVERY_KIND) await tape.write(event)
    return tape
  }
  expect((await (await write()).finish([BTC])).instruments).toEqual([BTC])
  const coarse = await write()
  const why = await userErrorOf(() => coarse.finish([{ ...BTC, szDecimals: 0 }]))
  expect(why).toContain('BTC has sizes with 1 decimals')
})

const HEADERS: [name: string, change: Record<string, unknown>, message: string][] = [
  ['a later version', { version: 2 }, 'is a version 2 tape, this program reads up to 1'],
  ['another format', { format: 'wav' }, 'line 1 is no tape header'],
  ['a version that is no number', { version: '1' }, 'has version "1"'],
  ['no source', { source: undefined }, 'needs "source"'],
  ['an unknown kind in the counts', { counts: { quote: 1 } }, 'has a count "quote": 1'],
  ['an end before the start', { startMs: 5, endMs: 4 }, 'ends before it starts'],
  ['an end though it is open', { open: true }, 'is open, and has "endMs" or "counts"'],
  ['a word for open', { open: 'yes' }, 'has "open" that is not true'],
  ['instruments that are no list', { instruments: {} }, 'needs a list of instruments'],
  ['an instrument twice', { instruments: [BTC, BTC] }, 'names instrument BTC twice'],
  ['half an instrument', { instruments: [{ coin: 'X' }] }, 'has instrument "X"'],
]

for (const [name, change, message] of HEADERS)
  test(`a header is refused with ${name}`, async () => {
    const [header = '', ...events] = await soundLines()
    const changed = JSON.stringify({ ...JSON.parse(header), ...change })
    const why = await refusalOf('header', `${[changed, ...events].join('\n')}\n`)
    expect(why).toContain(message)
    expect(why).toStartWith(`${at('header')}: `)
  })

test('files other than tapes are refused', async () => {
  expect(await refusalOf('empty', '')).toContain('has no whole first line')
  expect(await refusalOf('prose', 'once upon a time\n')).toContain('line 1 is not JSON')
  expect(await refusalOf('number', '17\n')).toContain('line 1 is not JSON')
  expect(await refusalOf('broken', Buffer.from('28b52ffd00ff00ff00ff', 'hex'))).toContain(
    'is damaged',
  )
  expect(await userErrorOf(() => openTape(at('absent')))).toContain('there is no such file')
  expect(await userErrorOf(() => openTape(path.dirname(at('x'))))).toContain('is a folder')
})

test('a truncated tape is refused, wherever it was cut', async () => {
  const text = `${(await soundLines()).join('\n')}\n`
  for (let length = 1; length < text.length; length += 97) {
    const why = await refusalOf('tail', text.slice(0, length))
    expect(why).toMatch(/has no whole first line|is cut off|its header says/)
  }
  const shortened = text.slice(0, text.trimEnd().lastIndexOf('\n') + 1)
  expect(await refusalOf('tail', shortened)).toContain(
    'ends at line 13 with 0 gap events, its header says 1',
  )
})

test('a packed tape that is truncated or damaged is refused', async () => {
  const drafts = Array.from({ length: 500 }, (_, i) => ({
    ...EVENTS_OF_EVERY_KIND[2],
    time: 1000 + i,
  }))
  await writeTape(at('long.zst'), drafts as never)
  const bytes = readFileSync(at('long.zst'))
  const cuts = [0.3, 0.6, 0.9].map((part) => Math.floor(bytes.length * part))
  for (const length of cuts) await refusalOf('tail.zst', bytes.subarray(0, length))
  const damaged = Buffer.from(bytes)
  damaged.fill(0xa5, Math.floor(damaged.length * 0.5), Math.floor(damaged.length * 0.5) + 40)
  await refusalOf('damaged.zst', damaged)
})

test('text that is not UTF-8 is refused with its line', async () => {
  const lines = await soundLines()
  const text = Buffer.from(`${lines.join('\n')}\n`)
  const index = text.indexOf('"rate"') + 1
  text[index] = 0xff
  expect(await refusalOf('latin', text)).toContain('line 5 is not UTF-8 text')
})
