/** Truncated, mixed, future and hostile recordings: one message each, and nothing left behind. */
import { expect, test } from 'bun:test'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import type { ImportRequest } from '../../src/tape/tape-import.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { L2_BOOKS } from '../fixtures/archive-lines.ts'
import { archiveSamples, lz4, TARDIS } from '../fixtures/archive-samples.ts'
import { SPOT_STREAM } from '../fixtures/raw-stream-samples.ts'
import { userErrorOf } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
mkdirSync(at('out'))
const OUT = at('out/of.tape.ndjson')

/** The refusal of a file, without its folder. */
async function refusalOf(name: string, content: string | Buffer, request: ImportRequest = {}) {
  writeFileSync(at(name), content)
  const why = await userErrorOf(() => importTape([at(name)], OUT, request))
  expect(readdirSync(at('out'))).toEqual([])
  return why.replaceAll(at('x').slice(0, -1), '')
}

const { trades } = TARDIS
const withPrice = (px: string) => trades.replace(',100.2,', `,${px},`)
const packed = lz4(L2_BOOKS)

test('files that are truncated or damaged', async () => {
  expect(await refusalOf('cut.lz4', packed.subarray(0, -9))).toStartWith('cut.lz4: is damaged: ')
  expect(await refusalOf('cut.gz', gzipSync(trades).subarray(0, -9))).toStartWith(
    'cut.gz: is damaged: ',
  )
  const zstd = zstdCompressSync(trades)
  const twice = Buffer.concat([zstd, zstd])
  for (const end of [20, zstd.length - 1, zstd.length + 3, twice.length - 4])
    expect(await refusalOf('cut.zst', twice.subarray(0, end), { tolerate: 9 })).toBe(
      'cut.zst: is damaged: it ends within a zstd frame',
    )
  expect(await refusalOf('more.zst', Buffer.concat([zstd, Buffer.from('more')]))).toBe(
    'more.zst: is damaged: it ends within a zstd frame',
  )
  const flipped = Buffer.from(packed)
  flipped[40] = (flipped[40] ?? 0) ^ 0xff
  expect(await refusalOf('flipped.lz4', flipped)).toStartWith('flipped.lz4: is damaged: ')
  const parquet = archiveSamples()['trades.parquet'] ?? Buffer.alloc(0)
  expect(await refusalOf('cut.parquet', parquet.subarray(0, -20))).toStartWith(
    'cut.parquet: is a damaged Parquet file (',
  )
  expect(await refusalOf('cut.ndjson', SPOT_STREAM.slice(0, -20))).toBe(
    'cut.ndjson: line 6 has a frame that is not whole JSON',
  )
})

test('files that expand endlessly, and lines that do', async () => {
  const zeros = zstdCompressSync(Buffer.alloc(40 * 1024 * 1024))
  expect(zeros.length).toBeLessThan(10_000)
  const tooLong = 'line 1 is longer than 16 MiB, this is no line format'
  expect(await refusalOf('bomb.zst', zeros)).toBe(`bomb.zst: ${tooLong}`)
  const long = Buffer.concat([Buffer.from(L2_BOOKS), Buffer.alloc(100 * 1024 * 1024, 'x')])
  expect(await refusalOf('long.zst', zstdCompressSync(long))).toBe(
    'long.zst: line 3 is longer than 16 MiB, this is no line format',
  )
  expect(
    await refusalOf('deep.log', `1775037600000000000 ${'{"data":'.repeat(200_000)}`),
  ).toStartWith('deep.log: line 1 is of no form that is known: text, ')
})

test('files of no form, or of another kind', async () => {
  expect(await refusalOf('a.zip', Buffer.from('504b0304140000', 'hex'))).toBe(
    'a.zip: is a zip archive: unzip it first',
  )
  expect(await refusalOf('list.json', '[{"a":1}]\n[{"a":2}]\n')).toContain("jq -c '.[]'")
  expect(await refusalOf('a.tape.ndjson', '{"format":"tapewright-tape","version":1}\n')).toBe(
    'a.tape.ndjson: is already a tape: use tape cut or tape merge',
  )
  expect(await refusalOf('odd.csv', 'a,b\n1,2\n')).toBe(
    'odd.csv: line 1 is of no form that is known: columns a, b; name one with --from, or say ' +
      'what is what with --map',
  )
  expect(await refusalOf('odd.csv', 'a,b\n1,2\n', { from: 'tardis' })).toContain(
    'odd.csv: line 1 has the columns a, b, which are of none of incremental_book_L2,',
  )
})

test('files of incompatible forms', async () => {
  writeFileSync(at('one.log'), SPOT_STREAM)
  writeFileSync(at('two.csv'), trades)
  const why = await userErrorOf(() => importTape([at('one.log'), at('two.csv')], OUT))
  expect(why).toBe(
    `${at('one.log')} is spot, ${at('two.csv')} is tardis: import them separately and ` +
      'combine them with tape merge',
  )
})

test('times out of order and in another unit, unknown words, invalid numbers', async () => {
  const lines = trades.trim().split('\n')
  const late = lines[2]?.replaceAll('1775037600', '1775037700') ?? ''
  const reordered = [lines[0], late, lines[1]].join('\n')
  expect(await refusalOf('back.csv', reordered)).toBe(
    'back.csv: line 3 goes back in time by 100 s: sort the file by time',
  )
  expect(await refusalOf('unit.csv', trades.replaceAll('000,', ','))).toStartWith(
    'unit.csv: line 2 has a time "1775037600015" that is not between the years 2000 and 2100, as ' +
      'us',
  )
  expect(await refusalOf('side.csv', trades.replace('buy', 'BUY'))).toBe(
    'side.csv: line 2 has side "BUY", known: buy and sell',
  )
  expect(await refusalOf('px.csv', withPrice('0'))).toBe('px.csv: line 2 has a price of 0 for BTC')
  expect(await refusalOf('px.csv', withPrice('abc'))).toBe(
    'px.csv: line 2 has "abc" for a number, column price',
  )
  for (const none of ['', 'NaN', 'null'])
    expect(await refusalOf('px.csv', withPrice(none))).toBe(
      'px.csv: line 2 lacks a number that it needs, column price',
    )
  expect(await refusalOf('px.csv', withPrice('1e25'))).toBe(
    'px.csv: line 2 has "10000000000000000000000000" for a decimal string, column price',
  )
  expect(await refusalOf('cells.csv', withPrice('1,2'))).toBe(
    'cells.csv: line 2 has 9 cells, the header has 8',
  )
})

test('a number of bad lines is tolerated, and one more is not', async () => {
  const bad = trades.replace('buy', 'BUY').replace(',sell,100,', ',sell,x,')
  const more = 'that is one more than the 1 that are tolerated'
  expect(await refusalOf('bad.csv', bad, { tolerate: 1 })).toBe(
    `bad.csv: line 3 has "x" for a number, column price; ${more}`,
  )
  const good = trades.split('\n')[1]
  writeFileSync(at('bad.csv'), `${bad}${good}\n`)
  const { badRows, header } = await importTape([at('bad.csv')], OUT, { tolerate: 2 })
  expect([badRows.count, header.counts]).toEqual([2, { trade: 1 }])
  expect(badRows.reported[0]).toEqual({
    place: `${at('bad.csv')}: line 2`,
    why: 'has side "BUY", known: buy and sell',
  })
})
