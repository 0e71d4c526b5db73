/** Recordings that are good but odd, and lines that are left out of them without a trace. */
import { afterEach, expect, test } from 'bun:test'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type ImportRequest, importTape } from '../../src/tape/tape-import.ts'
import { TARDIS } from '../fixtures/archive-samples.ts'
import { userErrorOf } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const OUT = at('of.tape.ndjson')
const { trades } = TARDIS

afterEach(() => rmSync(OUT, { force: true }))

/** Imports one file of that content. */
async function imported(name: string, content: string | Buffer, request: ImportRequest = {}) {
  writeFileSync(at(name), content)
  const report = await importTape([at(name)], OUT, request)
  const [, ...events] = readFileSync(OUT, 'utf8').split('\n')
  return { ...report, events }
}

/** Why it is refused, without the folder. */
async function refusalOf(name: string, content: string | Buffer, request: ImportRequest = {}) {
  const why = await userErrorOf(() => imported(name, content, request))
  return why.replaceAll(at('x').slice(0, -1), '')
}

test('numbers that no instrument could have together are refused with their line', async () => {
  const long = trades.replace(',sell,100,0.25', ',sell,123456789012345,0.25')
  expect(await refusalOf('long.csv', long)).toBe(
    'long.csv: line 3 has price "123456789012345", others have 3 digits before the point and 1 ' +
      'behind it: 15 in all are exact',
  )
  const { header } = await imported('long.csv', long, { tolerate: 1 })
  expect(header.counts).toEqual({ trade: 1 })
})

test('what a refused event has of digits is not held against those that are taken', async () => {
  const [head, first, second] = trades.split('\n')
  const empty = second?.replace(',sell,100,0.25', ',sell,12345678901234,0')
  const odd = [head, empty, first, second, ''].join('\n')
  expect(await refusalOf('empty.csv', odd)).toBe('empty.csv: line 2 has "0" as a size')
  const { header } = await imported('empty.csv', odd, { tolerate: 1 })
  expect([header.counts, header.instruments[0]?.pxDecimals]).toEqual([{ trade: 2 }, 1])
})
