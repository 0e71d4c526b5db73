/** Each key is tested before it is used. */
import { expect, test } from 'bun:test'
import { conform } from '../../src/conformance/conform.ts'
import type { ConformSettings } from '../../src/conformance/conform-settings.ts'
import type { TargetTransport } from '../../src/conformance/target-transport.ts'
import { hurriedClock } from '../fixtures/hurried-clock.ts'
import { memoryTarget } from '../fixtures/memory-probe.ts'

const { target, transport } = await memoryTarget()
const SKIPPED = ': cases that need it are skipped'
const WRONG = { accessKey: 'nobody', secretKey: 'nothing' }

async function judged(settings: Partial<ConformSettings>, through: TargetTransport = transport) {
  const notes: string[] = []
  const report = await conform({
    baseUrl: 'http://there',
    keys: { full: target.keys.full },
    patienceMs: 0,
    transport: through,
    systemClock: hurriedClock(),
    onNote: (note) => notes.push(note),
    ...settings,
  })
  const { results } = report
  const ids = (verdict: string) => results.filter((one) => one.verdict === verdict)
  return { notes, report, failed: ids('failed'), skipped: ids('skipped') }
}

test('a refused key is reported once, and its cases are skipped', async () => {
  const keys = { ...target.keys, partner: WRONG, sub: WRONG, bare: WRONG }
  const only = [
    'authentication.distributor',
    'errors.permission',
    'distributor.levels',
    'access.coin',
  ]
  const { notes, failed, skipped } = await judged({ keys, only })
  expect(failed).toEqual([])
  expect(notes).toEqual([
    `the key of the distributor is not accepted (401 Invalid signature)${SKIPPED}`,
    `the sub key is not accepted (401 Invalid signature)${SKIPPED}`,
    `the bare key is not accepted (401 Invalid signature)${SKIPPED}`,
  ])
  const why = new Set(skipped.map(({ message }) => message))
  expect([...why].toSorted()).toEqual([
    'the bare key is not accepted (401 Invalid signature)',
    'the key of the distributor is not accepted (401 Invalid signature)',
  ])
})

test('a key without distributor rights differs from an unknown one', async () => {
  const keys = { ...target.keys, partner: target.keys.sub ?? WRONG }
  const { notes, failed } = await judged({ keys, only: ['distributor.levels'] })
  expect(failed).toEqual([])
  expect(notes).toEqual([`the key of the distributor is not that of a distributor (403)${SKIPPED}`])
})

test('valid keys are used silently', async () => {
  const { keys } = target
  const { notes, failed, skipped } = await judged({ keys, only: ['distributor.levels'] })
  expect([notes, failed, skipped]).toEqual([[], [], []])
})

const denial = (name: string) => ({
  status: 403,
  contentType: 'application/json',
  text: `{"code":"403","msg":"Permission denied: ${name}","data":null}`,
})

test('missing permissions of the main key are detected, and their cases are skipped', async () => {
  const [whales, fills] = [denial('HL_WHALES_DIRECTIONS'), denial('HL_WS_FILLS')]
  const lacking: TargetTransport = {
    request: async (sent) =>
      sent.path.includes('/hl/whales/directions') ? whales : transport.request(sent),
    connect: async (path) => (path.includes('/hl/ws/fills') ? fills : transport.connect(path)),
  }
  const only = [
    'answer.perpdex.whaleDirections.1',
    'channel.addressFills.push',
    'perpdex.market.whales',
    'coin.keys',
  ]
  const { notes, failed, skipped, report } = await judged({ only }, lacking)
  expect([failed, report.counts.passed > 0]).toEqual([[], true])
  const why = skipped.filter(({ message }) => message.startsWith('the key lacks'))
  expect(why.map(({ id, message }) => [id, message])).toEqual([
    ['perpdex.market.whales', 'the key lacks the permission HL_WHALES_DIRECTIONS'],
    ['answer.perpdex.whaleDirections.1', 'the key lacks the permission HL_WHALES_DIRECTIONS'],
    ['channel.addressFills.push', 'the key lacks the permission HL_WS_FILLS'],
  ])
  expect(notes.toSorted()).toEqual([
    `the key lacks the permission HL_WHALES_DIRECTIONS${SKIPPED}`,
    `the key lacks the permission HL_WS_FILLS${SKIPPED}`,
  ])
})

test('refusing one operation and answering another of the same permission deviates', async () => {
  const refusing: TargetTransport = {
    ...transport,
    request: async (sent) =>
      sent.path.includes('/hl/fills/oid/') ? denial('HL_FILLS') : transport.request(sent),
  }
  const { failed, notes } = await judged({ only: ['answer.perpdex.fillsOfOrder'] }, refusing)
  expect([failed.length > 0, notes]).toEqual([true, []])
})

test('a key without permissions is useless', async () => {
  const keys = { full: target.keys.bare ?? WRONG }
  await expect(judged({ keys })).rejects.toThrow(
    'the key has no permissions (Permission denied: HL_TICKERS): use one with all',
  )
})
