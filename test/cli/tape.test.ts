import { expect, test } from 'bun:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileDigest } from '../../src/tape/compression.ts'
import { openTape } from '../../src/tape/tape-reader.ts'
import { PROJECT_FOLDER } from '../fixtures/project-folder.ts'
import {
  book,
  EVENTS_OF_EVERY_KIND,
  readTape,
  userErrorOf,
  writeTape,
} from '../fixtures/sample-tape.ts'
import { tapeCommand } from '../fixtures/tape-command.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const TAPE = at('kinds.tape.ndjson')
await writeTape(TAPE, EVENTS_OF_EVERY_KIND)

const run = tapeCommand()

test('an unfinished recording is read, and the commands report it', async () => {
  const [first = '', ...events] = readFileSync(TAPE, 'utf8').split('\n')
  const { endMs: _, counts: __, ...begun } = JSON.parse(first)
  const lines = [JSON.stringify({ ...begun, open: true }), ...events.slice(0, 3), '{"time":10']
  writeFileSync(at('killed'), lines.join('\n'))
  expect((await run('info', at('killed')))[1]).toContain('not ended: read to its last whole line')
  expect((await run('verify', at('killed')))[1]).toContain('not ended, sound, 3 events of 1 coins')
  await run('cut', at('killed'), '--out', at('mended'))
  expect((await openTape(at('mended'))).header.open).toBeUndefined()
  expect(await readTape(at('mended'))).toHaveLength(3)
})

test('tape verify prints that the tape is sound, or its findings and exits with 1', async () => {
  expect(await run('verify', TAPE)).toEqual([0, `${TAPE}: sound, 13 events of 1 coins`])
  const crossed = book('12', '11')
  await writeTape(at('crossed'), [{ time: 5, kind: 'book', coin: 'BTC', data: crossed }])
  const [code, text] = await run('verify', at('crossed'))
  expect([code, text.split('\n')]).toEqual([
    1,
    [
      `${at('crossed')}: 1 findings in 1 events`,
      '  seq 1 at 5, BTC: the book is crossed: 12 to 11',
    ],
  ])
  const [, json] = await run('verify', at('crossed'), '--json')
  expect(JSON.parse(json)).toMatchObject({ events: 1, found: 1, findings: [{ seq: 1 }] })
})

test('tape synth writes the same bytes for the same seed', async () => {
  const make = (name: string, seed: string) =>
    run('synth', '--seed', seed, '--minutes', '1', '--out', at(name))
  await make('s1.zst', '4')
  await make('s2.zst', '4')
  await make('s3.zst', '5')
  expect(await fileDigest(at('s1.zst'))).toBe(await fileDigest(at('s2.zst')))
  expect(await fileDigest(at('s1.zst'))).not.toBe(await fileDigest(at('s3.zst')))
  expect((await run('verify', at('s1.zst')))[0]).toBe(0)
})

test('tape synth uses the given coins, price, mood and event schedule', async () => {
  writeFileSync(at('plot.yaml'), 'market:\n  - at: 5s\n    event: {kind: halt, forS: 30}\n')
  const flags = ['--coins', '12', '--pairs', '1', '--price', 'SUI=3', '--mood', 'chop']
  const of = ['--seed', '2', '--minutes', '1', '--plot', at('plot.yaml'), '--out', at('plotted')]
  expect((await run('synth', ...flags, ...of))[0]).toBe(0)
  expect((await run('verify', at('plotted')))[0]).toBe(0)
  const { header } = await openTape(at('plotted'))
  expect(header.instruments).toHaveLength(13)
  expect(header.source).toContain('synth seed 2, 1 minutes, 12 perpetuals, 1 pairs, SUI=3, mood')
  const trades = (await readTape(at('plotted'))).filter(({ kind }) => kind === 'trade')
  const during = trades.filter(({ time }) => time - header.startMs >= 5000)
  expect(trades.length).toBeGreaterThan(during.length)
  expect(during.every(({ time }) => time - header.startMs >= 35_000)).toBe(true)
  expect(trades.find(({ coin }) => coin === 'SUI')?.data).toMatchObject({ px: expect.any(String) })
})

test('tape cut takes moments and offsets from the start', async () => {
  await run('cut', TAPE, '--out', at('part'), '--from', '10ms', '--to', '1012')
  const within = EVENTS_OF_EVERY_KIND.filter(({ time }) => time >= 1010 && time < 1012)
  expect((await readTape(at('part'))).slice(-within.length).map(({ kind }) => kind)).toEqual(
    within.map(({ kind }) => kind),
  )
  await run('cut', TAPE, '--out', at('half'), '--from', '0.0105s')
  expect((await openTape(at('half'))).header.startMs).toBe(1011)
})

test('tape merge and tape import write tapes', async () => {
  await run('merge', TAPE, TAPE, '--out', at('twice'))
  expect(await readTape(at('twice'))).toHaveLength(26)
  const data = {
    coin: 'BTC',
    time: 1_700_000_000_005,
    levels: [[], [{ px: '7.0', sz: '1', n: 1 }]],
  }
  const frames = [{ channel: 'l2Book', data }, { channel: 'pong' }]
  const lines = frames.map((frame) => `1700000000000000000 ${JSON.stringify(frame)}\n`)
  writeFileSync(at('raw'), lines.join(''))
  const [code, text] = await run('import', at('raw'), '--out', at('raw.tape.ndjson'))
  expect(code).toBe(0)
  expect(text).toContain('1 events, 1 instruments, 0s; 2 lines of venue-native')
  expect(text).toContain('left out: 1 x frame of channel pong')
})

test('tape import reports unused contracts', async () => {
  const row = 'some-futures,BTCUSD,1775037600000000,buy,100,5'
  writeFileSync(at('worth.csv'), `exchange,symbol,timestamp,side,price,amount\n${row}\n`)
  const contracts = ['--contract', 'BTCUSD=100usd', '--contract', 'BTCUSDT=1']
  const [, text] = await run(
    'import',
    at('worth.csv'),
    '--out',
    at('worth.tape.ndjson'),
    ...contracts,
  )
  expect(text.split('\n').slice(1, -1)).toEqual([
    '  not used: --contract BTCUSDT, no symbol or coin with sizes in contracts is that',
  ])
  const twice = [...contracts, '--contract', 'BTCUSD=1']
  expect(await userErrorOf(() => run('import', at('worth.csv'), '--out', at('no'), ...twice))).toBe(
    '--contract is given twice for BTCUSD',
  )
})

test('tape import refuses files without events, with the reason', async () => {
  const out = at('none.tape.ndjson')
  writeFileSync(at('none.csv'), 'exchange,symbol,timestamp,side,price,amount\n')
  const why = await userErrorOf(() => run('import', at('none.csv'), '--out', out))
  expect(why).toBe(`${at('none.csv')}: there is no record in it`)
  writeFileSync(at('pong.log'), '{"channel":"pong"}\n')
  expect(await userErrorOf(() => run('import', at('pong.log'), '--out', out))).toBe(
    `${at('pong.log')}: none of it becomes an event; left out: 1 x frame of channel pong`,
  )
  expect(existsSync(out)).toBe(false)
})

const REFUSED: [args: string[], message: string][] = [
  [[], 'tape needs an action, the actions are info, verify'],
  [['toString'], 'there is no "tape toString"'],
  [['info'], 'tape info takes one tape, 0 were given'],
  [['info', TAPE, TAPE], 'tape info takes one tape, 2 were given'],
  [['info', TAPE, '--jason'], "Unknown option '--jason', did you mean --json? See tapewright tape"],
  [['inof', TAPE], 'there is no "tape inof", did you mean "tape info"?'],
  [['info', 'defualt'], 'there is no tape "defualt", did you mean "default"?'],
  [
    ['info', path.dirname(TAPE)],
    `${path.dirname(TAPE)}: is a folder, give a tape in it, such as ${TAPE}`,
  ],
  [['merge', TAPE, 'nowhere', '--out', at('x')], 'there is no tape "nowhere", there are: default'],
  [['cut', 'dfault', '--out', at('x')], 'did you mean "default"?'],
  [['import', TAPE, '--out', at('x'), '--from', 'usmd'], 'did you mean "usdm"?'],
  [['verify', at('absent')], `${at('absent')}: there is no such file`],
  [['cut', TAPE], '--out is missing'],
  [
    ['cut', TAPE, '--out', at('x'), '--from', 'noon'],
    '--from must be milliseconds since 1970 or an offset such as 30s or 5m, not "noon"',
  ],
  [['cut', TAPE, '--out', at('x'), '--coins', 'ETH'], 'has no coin ETH, it has BTC'],
  [['cut', TAPE, '--out', path.dirname(TAPE)], 'is a folder, give the name of a file'],
  [['cut', TAPE, '--out', at('no/where')], 'there is no folder'],
  [['merge', TAPE, '--out', at('x')], 'tape merge takes at least 2 tapes, 1 given'],
  [['diff', TAPE, TAPE, TAPE], 'tape diff takes 2 tapes, 3 given'],
  [['import', '--out', at('x')], 'tape import takes at least one source, none given'],
  [['import', TAPE, '--out', at('x'), '--from', 'csv'], 'there is no form "csv"'],
  [['synth', '--out', at('x')], '--seed is missing'],
  [
    ['synth', '--seed', 'x', '--out', at('x')],
    '--seed must be a number from 0 to 9007199254740991, not "x"',
  ],
  [['synth', '--seed', '1', '--coins', '31', '--out', at('x')], '--coins must be a number from 1'],
  [['synth', '--seed', '1', '--price', 'BTC', '--out', at('x')], '--price must be a coin and its'],
  [['synth', '--seed', '1', '--price', 'BTCC=1', '--out', at('x')], 'there is no BTCC (did you'],
  [['synth', '--seed', '1', '--plot', at('none'), '--out', at('x')], 'the plot'],
  [['synth', TAPE, '--seed', '1', '--out', at('x')], 'tape synth takes no file'],
]

for (const [args, message] of REFUSED)
  test(`tape ${args.map((word) => path.basename(word)).join(' ')} is refused`, async () => {
    expect(await userErrorOf(() => run(...args))).toContain(message)
    expect(existsSync(at('x'))).toBe(false)
  })

test('docs/tape-format.md shows a line of every kind, and they are a valid tape', async () => {
  const doc = readFileSync(path.join(PROJECT_FOLDER, 'docs/tape-format.md'), 'utf8')
  const [, example = ''] = /```ndjson\n([\s\S]*?)```/.exec(doc) ?? []
  writeFileSync(at('doc.tape.ndjson'), example)
  const kinds = new Set((await readTape(at('doc.tape.ndjson'))).map(({ kind }) => kind))
  expect([...kinds].sort()).toEqual(
    [...new Set(EVENTS_OF_EVERY_KIND.map(({ kind }) => kind))].sort(),
  )
})
