import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { JournalEntry } from '../../clients/control/records.ts'
import { Corpus, cellsOf, corpusText } from './corpus.ts'
import type { CarriedOut, RunRecord } from './judges.ts'
import { type Action, beginMs, type Plan, parsePlan } from './plan.ts'
import { drawPlan, varyPlan } from './plan-drawing.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'corpus-'))
afterAll(() => rmSync(folder, { recursive: true }))
const at = (name: string) => path.join(folder, name)

const WORLD = { id: 'w', coins: ['BTC', 'ETH'] }
const PLAN: Plan = parsePlan(
  'plan',
  'format: 1\nseed: 7\nlength: 9s\nactions: [{at: 1s, jump: 5s}]',
)

const request = (sessionMs: number, operation: string, rule: string | null = null) => ({
  kind: 'request',
  operation,
  rule,
  sessionMs,
})
const socket = (sessionMs: number, event: string, rule: string | null = null) => ({
  kind: 'socket',
  event,
  path: '/hl/ws',
  rule,
  sessionMs,
})

const carriedOut = (action: Action, atMs: number, untilMs: number): CarriedOut => ({
  number: 0,
  action,
  atMs,
  untilMs,
  refused: null,
})

function runOf(journal: object[], done: CarriedOut[], plan = PLAN): RunRecord {
  const entries = journal as unknown as JournalEntry[]
  return { plan, journal: entries, carriedOut: done, startMs: 0 } as unknown as RunRecord
}

const REFUSE: Action = { at: '1s', for: '2s', fault: { refuse: { as: 'rate' } }, on: {} }
const RULE = '1 {"refuse":{"as":"rate"}} on {}'

test('a fault reaches what its rule acted on, by what the client did next', () => {
  const journal = [
    request(500, 'a.before'),
    request(1_500, 'a.one', RULE),
    request(1_600, 'a.one', RULE),
    request(1_700, 'a.other'),
    socket(1_800, 'fault', RULE),
    socket(1_900, 'opened'),
    request(2_900, 'a.late', RULE),
  ]
  const cells = cellsOf(runOf(journal, [carriedOut(REFUSE, 1_000, 2_500)]))
  expect([...cells]).toEqual([
    'refuse | a.one | again',
    'refuse | a.one | other',
    'refuse | /hl/ws | reconnects',
    'refuse | a.late | nothing',
  ])
})

test('other actions reach what the client does in their time; refused ones reach nothing', () => {
  const journal = [request(1_000, 'a.one'), request(1_500, 'a.one'), request(9_000, 'a.one')]
  const jump = carriedOut({ at: '1s', jump: '5s' }, 1_000, 1_000)
  expect([...cellsOf(runOf(journal, [jump]))]).toEqual(['jump | a.one | again'])
  expect([...cellsOf(runOf(journal, [{ ...jump, refused: 'no' }]))]).toEqual([])
})

test('a plan that reaches something new is kept, and read again with all cells', () => {
  const corpus = Corpus.open(at('corpus.json'))
  const run = runOf([request(1_000, 'a.one')], [carriedOut({ at: '1s', jump: '5s' }, 1_000, 1_000)])
  expect([corpus.add(run), corpus.add(run)]).toEqual([true, false])
  corpus.save()
  const again = Corpus.open(at('corpus.json'))
  expect([again.runs, again.nextSeed]).toEqual([2, 8])
  expect(again.plansOf(9_000)).toEqual([PLAN])
  expect(again.plansOf(8_000)).toEqual([])
  const { rows, never } = again.table('violent')
  const jump = rows.find(({ action }) => action === 'jump')
  expect(jump).toEqual({ action: 'jump', subject: 'a.one', next: { nothing: 2 } })
  expect(never.map(({ action }) => action)).toContain('refuse')
  // What acts on pushes alone cannot reach an operation.
  expect(rows.map(({ action }) => action)).not.toContain('stale')
  expect(corpusText(again.table('violent'), 2)).toStartWith('corpus of 2 runs: 1 of ')
})

test('a file that is no corpus is refused with what is wrong', () => {
  const refusal = (text: string) => {
    writeFileSync(at('wrong.json'), text)
    return () => Corpus.open(at('wrong.json'))
  }
  expect(refusal('{')).toThrow(/--corpus: .*wrong\.json cannot be read/)
  expect(refusal('{}')).toThrow('is no corpus of `explore`')
  expect(refusal('{"format":2,"cells":{},"plans":[]}')).toThrow(
    'has format 2, this version reads 1',
  )
  expect(refusal('{"format":1,"cells":{"a":"x"},"plans":[]}')).toThrow('is damaged')
  const whole = { format: 1, runs: 1, nextSeed: 1, subjects: [], cells: {}, plans: ['format: 1'] }
  expect(refusal(JSON.stringify(whole))).toThrow(/wrong\.json, plan 1/)
})

test('a variation is a function of seed and plan, and only what fits together is in it', () => {
  const options = { seed: 4, level: 'violent', lengthMs: 45_000 } as const
  const kept = drawPlan({ ...options, seed: 3 }, WORLD)
  const varied = varyPlan(options, WORLD, kept)
  expect(varyPlan(options, WORLD, kept)).toEqual(varied)
  expect(varied.actions).not.toEqual(kept.actions)
  const begins = varied.actions.map(beginMs)
  expect(begins).toEqual(begins.toSorted((a, b) => a - b))
  for (let seed = 0; seed < 200; seed++) {
    const { actions } = varyPlan({ ...options, seed }, WORLD, kept)
    expect(actions.length).toBeGreaterThan(0)
    const times = actions.filter(({ jump, seek, speed }) => (jump ?? seek ?? speed) !== undefined)
    const moments = times.filter(({ speed }) => speed === undefined).map(({ at: begin }) => begin)
    expect(new Set(moments).size).toBe(moments.length)
    for (const { at: begin } of actions) expect(beginMs({ at: begin })).toBeLessThan(45_000)
  }
})
