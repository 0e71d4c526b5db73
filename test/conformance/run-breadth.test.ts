/** What a run could not judge because of the target, and how broadly it has looked. */
import { expect, test } from 'bun:test'
import { breadthLines, breadthOf } from '../../src/conformance/ledger/breadth.ts'
import { Ledger } from '../../src/conformance/ledger/ledger.ts'
import type { Case } from '../../src/conformance/probe.ts'
import type { ProbeRequest } from '../../src/conformance/probe-request.ts'
import { objectsOf } from '../../src/conformance/responses.ts'
import { blockedResult, runCases } from '../../src/conformance/runner.ts'
import type { TargetTransport } from '../../src/conformance/target-transport.ts'
import { futureSigning } from '../fixtures/memory-probe.ts'

/** A target that answers everything alike. */
const answering = (status: number, body: unknown): TargetTransport => ({
  request: async () => ({
    status,
    contentType: 'application/json',
    text: JSON.stringify(body),
  }),
  connect: async () => ({ status: 404, contentType: '', text: '' }),
})

/** Cases that look something up and judge nothing of it. */
const CASES: readonly Case[] = ['one', 'two'].map((id) => ({
  id: `lookup.${id}`,
  title: 'something holds of what is looked up',
  checks: ['operation.perpdex.tickers'],
  run: async (probe) => {
    await objectsOf(probe.lookup, { path: '/hl/tickers' })
  },
}))

/** The failure of lookups at a target; null for none. */
async function blockedBy(status: number, body: unknown) {
  const results = await runCases(CASES, {
    target: { keys: { full: { accessKey: 'key', secretKey: 'secret' } }, patienceMs: 0 },
    transport: answering(status, body),
    systemClock: futureSigning,
    nonce: 'blocked',
  })
  expect(results.map(({ verdict }) => verdict)).toEqual(['skipped', 'skipped'])
  return blockedResult(results)
}

test('cases whose lookup has another form fail the run once, with their ids', async () => {
  const blocked = await blockedBy(200, { code: '0', msg: 'success', data: {} })
  expect(blocked).toMatchObject({
    id: 'run.lookups',
    verdict: 'failed',
    checks: ['operation.perpdex.tickers'],
    message: expect.stringContaining('2 cases could not be judged: '),
    evidence: { found: { blocked: [{ id: 'lookup.one' }, { id: 'lookup.two' }] } },
  })
  expect(blocked?.conversation).toHaveLength(1)
})

test('what a target refuses or does not have fails nothing', async () => {
  expect(await blockedBy(400, { code: '400', msg: 'unknown coin', data: null })).toBeNull()
  expect(await blockedBy(404, { code: '404', msg: 'Not found', data: null })).toBeNull()
})

const HISTORY = '/futures/funding-rate/history'

test('an operation counts only if each of its refusals is in the right envelope', async () => {
  const ledger = new Ledger()
  const at = answering(200, {})
  const heard = (request: ProbeRequest, status: number, body: unknown) =>
    ledger.answered(at, request, {
      status,
      contentType: 'application/json',
      text: JSON.stringify(body),
    })
  const refused = (code: string) => ({ code, msg: 'Permission denied', data: null })
  const counts = async () => {
    const { rows, statuses } = await breadthOf(ledger)
    const row = rows.find(({ what }) => what === '403 envelope')
    return { right: row?.right, wrong: row?.wrong, statuses }
  }
  heard({ path: HISTORY, signedBy: 'bare' }, 403, refused('403'))
  heard({ path: HISTORY }, 200, { code: '0', msg: '', data: [] })
  expect(await counts()).toEqual({
    right: 1,
    wrong: [],
    statuses: { 'futures.fundingRateHistory': { bare: [403], full: [200] } },
  })
  heard({ path: HISTORY, signedBy: 'bare' }, 403, { success: false, errorCode: 403, error: '' })
  expect(await counts()).toMatchObject({ right: 0, wrong: ['futures.fundingRateHistory'] })
  const line = breadthLines(await breadthOf(ledger)).find((one) => one.startsWith('403'))
  expect(line).toMatch(
    /^403 envelope: 0 of \d+ operations; wrong: futures\.fundingRateHistory; not shown: /,
  )
  ledger.close()
})
