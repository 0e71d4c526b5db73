/** A HAR document becomes a recording, and vice versa. */
import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { exportHar } from '../../src/tape/har/har-export.ts'
import { Redaction } from '../../src/tape/recorder/redaction/redaction.ts'
import { importTape } from '../../src/tape/tape-import.ts'
import { HAR } from '../fixtures/har-sample.ts'
import { SAMPLE_START_MS } from '../fixtures/sample-start.ts'
import { readTape, userErrorOf, writeTape } from '../fixtures/sample-tape.ts'
import { temporaryFolder } from '../fixtures/temporary-folder.ts'

const at = temporaryFolder()
const OUT = at('session.tape.ndjson')
const importHar = (file: string, out = OUT) =>
  importTape([file], out, { secrets: new Redaction({}) })

test('exchanges, sockets and messages come in order of time, without secrets', async () => {
  writeFileSync(at('session.har'), HAR)
  const report = await importHar(at('session.har'))
  expect(report.header.counts).toEqual({ connection: 1, exchange: 1, frame: 2 })
  const events = await readTape(OUT)
  expect(events.map(({ time, kind }) => [time - SAMPLE_START_MS, kind])).toEqual([
    [5, 'connection'],
    [12, 'exchange'],
    [20, 'frame'],
    [21, 'frame'],
  ])
  expect(events[1]?.data).toEqual({
    startedMs: SAMPLE_START_MS,
    method: 'GET',
    url: '/api/upgrade/v2/hl/tickers?AccessKeyId=redacted-1&a=1',
    requestHeaders: { accept: '*/*' },
    requestBody: '',
    status: 200,
    headers: { 'content-type': 'application/json' },
    responseBody: '{}',
  })
  expect(events[2]?.data).toEqual({ connection: 2, direction: 'in', text: '{"method":"ping"}' })
  expect(readFileSync(OUT, 'utf8')).not.toMatch(/my-own-key|hidden/)
})

test('an exported and reimported recording is the same', async () => {
  writeFileSync(at('session.har'), HAR)
  await importHar(at('session.har'))
  expect(await exportHar(OUT, at('again.har'), '1')).toEqual({ entries: 2, messages: 2 })
  await importHar(at('again.har'), at('again.tape.ndjson'))
  const scheduled = async (file: string) =>
    (await readTape(file)).map(({ time, kind, data }) => [
      time,
      kind,
      { ...data, connection: 'connection' in data ? 1 : 0 },
    ])
  expect(await scheduled(at('again.tape.ndjson'))).toEqual(await scheduled(OUT))
})

test('other files than HAR documents, and a tape of a market alone, are refused', async () => {
  writeFileSync(at('cut.har'), HAR.slice(0, -30))
  expect(await userErrorOf(() => importHar(at('cut.har')))).toBe(
    `${at('cut.har')}: is a HAR document that is not whole JSON`,
  )
  writeFileSync(at('odd.har'), HAR.replace('"type": "send"', '"type": "sent"'))
  expect(await userErrorOf(() => importHar(at('odd.har')))).toContain(
    'step 3 has a message of type "sent", known: send and receive',
  )
  await writeTape(at('market.tape.ndjson'), [])
  const why = await userErrorOf(() => exportHar(at('market.tape.ndjson'), at('none.har'), '1'))
  expect(why).toContain('has no exchange and no socket')
})
