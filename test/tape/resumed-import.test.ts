/** An interrupted import resumes, and makes the same tape. */
import { expect, test } from 'bun:test'
import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { importTape } from '../../src/tape/tape-import.ts'
import { SAMPLE_START_MS } from '../fixtures/sample-start.ts'
import { userErrorOf } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const OUT = at('of.tape.ndjson')
const PARTIAL = `${OUT}.partial`

/** Trades, and after more than a part of them a line that ends the import. */
function writeTrades(file: string): void {
  const rows = Array.from({ length: 100_500 }, (_, i) => {
    const time = `${SAMPLE_START_MS + i}000`
    return `some-futures,BTCUSDT,${time},${time},${i},buy,${100 + (i % 7)},0.5`
  })
  const header = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount'
  writeFileSync(file, [header, ...rows, 'cut off', rows.at(-1), ''].join('\n'))
}

test('written parts stay until the tape is complete, and are not written twice', async () => {
  const file = at('trades.csv')
  writeTrades(file)
  const why = await userErrorOf(() => importTape([file], OUT, { resume: true }))
  expect(why).toBe(`${file}: line 100502 has 1 cells, the header has 8`)
  expect(existsSync(OUT)).toBe(false)
  expect(readdirSync(PARTIAL).sort()).toEqual(['part-000000', 'state.json'])

  const other = await userErrorOf(() => importTape([file], OUT, { resume: true, coin: 'ETH' }))
  expect(other).toStartWith(`${PARTIAL}: was kept by an import of other sources`)

  // Contents of the part are taken from there: its first trade shows it.
  const part = readFileSync(`${PARTIAL}/part-000000`, 'utf8')
  writeFileSync(`${PARTIAL}/part-000000`, part.replace('"px":"100"', '"px":"099"'))
  await importTape([file], OUT, { resume: true, tolerate: 1 })
  expect(existsSync(PARTIAL)).toBe(false)
  const resumed = readFileSync(OUT, 'utf8')
  expect(resumed).toContain('"px":"099"')
  await importTape([file], at('whole.tape.ndjson'), { tolerate: 1 })
  const whole = readFileSync(at('whole.tape.ndjson'), 'utf8')
  expect(resumed.replace('"px":"099"', '"px":"100"') === whole).toBe(true)
})

test('an import that ends before a part is full leaves nothing', async () => {
  writeFileSync(
    at('bad.csv'),
    'exchange,symbol,timestamp,local_timestamp,id,side,price,amount\nx\n',
  )
  await userErrorOf(() => importTape([at('bad.csv')], at('bad.tape.ndjson'), { resume: true }))
  expect(readdirSync(at('.')).filter((name) => name.startsWith('bad.'))).toEqual(['bad.csv'])
})

test('changed parts are refused', async () => {
  const file = at('trades.csv')
  writeTrades(file)
  const again = () => userErrorOf(() => importTape([file], OUT, { resume: true }))
  await again()
  const part = `${PARTIAL}/part-000000`
  const { size } = statSync(part)
  truncateSync(part, 1000)
  const why = `bytes: remove ${PARTIAL} and import from the beginning`
  expect(await again()).toBe(`${part}: has 1000 of ${size} ${why}`)
  rmSync(part)
  expect(await again()).toBe(`${part}: has 0 of ${size} ${why}`)
  rmSync(PARTIAL, { recursive: true })
})

test('an aborted import leaves nothing, or its kept parts', async () => {
  const file = at('trades.csv')
  writeTrades(file)
  const out = at('ended.tape.ndjson')
  const ended = (resume: boolean) =>
    userErrorOf(() => importTape([file], out, { resume, signal: AbortSignal.abort(), tolerate: 1 }))
  for (const resume of [false, true]) {
    expect(await ended(resume)).toBe('is interrupted')
    expect(readdirSync(at('.')).filter((name) => name.startsWith('ended'))).toEqual([])
  }
})
