/** A rule over everything that a run has heard, and its judgement. */

import type { Slices } from '../../clock/turns.ts'
import type { Method, Operation } from '../../contract/operation.ts'
import { operationAt } from '../answer-content.ts'
import type { Said, SaidRequest, SaidSocket } from '../conversation.ts'
import { isSuccess, parsedJson } from '../responses.ts'
import type { Result } from '../runner.ts'
import type { Heard, HeardRequest, Ledger } from './ledger.ts'

/** An entry of the ledger for the rules: parsed once. */
export class Hearing {
  private parsed: { json: unknown } | null = null
  private found: { operation: Operation | undefined } | null = null

  constructor(
    readonly seq: number,
    readonly heard: Heard,
  ) {}

  /** Its text as JSON; undefined where it has none. */
  get json(): unknown {
    this.parsed ??= { json: 'text' in this.heard ? parsedJson(this.heard.text) : undefined }
    return this.parsed.json
  }

  /** The operation of a request; undefined for none. */
  get operation(): Operation | undefined {
    const { heard } = this
    this.found ??= {
      operation:
        heard.kind === 'answer'
          ? operationAt(heard.request.method as Method, heard.request.path.split('?')[0] ?? '')
          : undefined,
    }
    return this.found.operation
  }

  /** The data of a successful answer to a signed request; undefined for any other entry. */
  get data(): unknown {
    const { heard, json } = this
    if (heard.kind !== 'answer' || heard.status !== 200 || !heard.request.isSigned) return undefined
    const { status, contentType, text } = heard
    const { path } = heard.request
    const exchange = {
      method: heard.request.method as Method,
      path,
      status,
      contentType,
      text,
      json,
    }
    return isSuccess(exchange) ? (json as { data?: unknown }).data : undefined
  }
}

/** One of the two pieces of evidence: an entry, and the value in it. */
export interface Piece {
  seq: number
  value: unknown
}

/** Receives what a rule finds. */
export interface RuleFindings {
  /** Two things were compared that could have contradicted each other. */
  compared(): void
  /** They contradict: what the first says, and what the second. */
  broken(message: string, first: Piece, second: Piece): void
}

/** The judgement of one target's traffic: gets each entry in order, then the end. */
export interface RuleJudge {
  hear(hearing: Hearing): void | Slices<void>
  end?(): void | Slices<void>
}

/** A rule that holds for a whole run. */
export interface LedgerRule {
  /** `ledger.<name>`. */
  id: string
  /** The rule as a sentence. */
  title: string
  /** Ids of the requirements that it checks. */
  checks: readonly string[]
  judge(findings: RuleFindings, ledger: Ledger): RuleJudge
}

/**
 * Judges a ledger by rules: a result for each, with the first contradiction as evidence.
 *
 * @param turn lets others run, called after a few milliseconds of work
 */
export async function ledgerResults(
  ledger: Ledger,
  rules: readonly LedgerRule[],
  turn: () => Promise<void> = async () => {},
): Promise<Result[]> {
  let length = 0
  const tallies = rules.map((rule) => new RuleTally(rule))
  const places = new Map<number, RuleJudge[]>()
  for (let seq = 0; seq < ledger.size; seq++) {
    const hearing = new Hearing(seq, ledger.at(seq))
    const { place } = hearing.heard
    let judges = places.get(place)
    if (judges === undefined) {
      judges = tallies.map((tally) => tally.rule.judge(tally, ledger))
      places.set(place, judges)
    }
    for (const judge of judges) {
      const work = judge.hear(hearing)
      if (work) await inTurns(work, turn)
    }
    length += 'text' in hearing.heard ? hearing.heard.text.length : 0
    if (length < TURN_LENGTH) continue
    length = 0
    await turn()
  }
  for (const judge of [...places.values()].flat()) {
    const work = judge.end?.()
    if (work) await inTurns(work, turn)
  }
  return tallies.map((tally) => tally.result(ledger))
}

/** Characters that are judged in one turn. */
const TURN_LENGTH = 60_000

async function inTurns(work: Slices<void>, turn: () => Promise<void>): Promise<void> {
  for (const _ of work) await turn()
}

class RuleTally implements RuleFindings {
  private count = 0
  private violations = 0
  private first: { message: string; pieces: readonly [Piece, Piece] } | null = null

  constructor(readonly rule: LedgerRule) {}

  readonly compared = (): void => {
    this.count++
  }

  readonly broken = (message: string, first: Piece, second: Piece): void => {
    this.violations++
    this.first ??= { message, pieces: [first, second] }
  }

  result(ledger: Ledger): Result {
    const { first, count, violations } = this
    const { id, title, checks } = this.rule
    const of = { id, title, checks, durationMs: 0 }
    if (first !== null) {
      const [expected, found] = first.pieces.map(({ seq, value }) => ({
        said: lineOf(ledger, seq),
        value,
      }))
      const message =
        violations === 1 ? first.message : `${first.message} (the first of ${violations})`
      const conversation = first.pieces.map(({ seq }) => saidAt(ledger, seq))
      const evidence = { expected, found }
      return { ...of, verdict: 'failed', looked: true, message, evidence, conversation }
    }
    if (count > 0) return { ...of, verdict: 'passed', looked: true, message: '', conversation: [] }
    const message = 'nothing was heard twice that could contradict itself'
    return { ...of, verdict: 'skipped', looked: false, message, conversation: [] }
  }
}

// Entries as text, and in the form of a report.

/** `GET /hl/tickers?limit=1`, or `socket 3 /hl/ws: {"channel":…`. */
function lineOf(ledger: Ledger, seq: number): string {
  const heard = ledger.at(seq)
  const at = heard.event === undefined ? `entry ${seq}` : `seq ${heard.event}`
  if (heard.kind === 'answer') return `${at}: ${requestLine(heard.request)}`
  if (heard.kind === 'moved') return `${at}: the clock is moved by ${heard.ms} ms`
  const opening = openingOf(ledger, seq)
  const text = heard.kind === 'frame' ? heard.text.slice(0, LINE_LENGTH) : heard.kind
  return `${at}: socket ${heard.socket} ${opening ? requestLine(opening) : ''}: ${text}`
}

const LINE_LENGTH = 200

/** Method, path, query and body, without credentials. */
export function requestLine({ method, path, query, body }: HeardRequest): string {
  const given = Object.entries(query ?? {}).map(([name, value]) => `${name}=${value}`)
  const written = typeof body === 'string' ? body : JSON.stringify(body)
  const text = body === undefined ? '' : ` ${written?.slice(0, LINE_LENGTH)}`
  return `${method} ${path}${given.length > 0 ? '?' : ''}${given.join('&')}${text}`
}

/** The request that opened a frame's socket. */
function openingOf(ledger: Ledger, seq: number): HeardRequest | null {
  const heard = ledger.at(seq)
  if (!('socket' in heard)) return null
  for (let at = seq; at >= 0; at--) {
    const before = ledger.at(at)
    if (before.kind === 'opened' && before.socket === heard.socket) return before.request
  }
  return null
}

/** Maximum characters of a shown text. */
const TEXT_MAX = 4_000

function saidAt(ledger: Ledger, seq: number): Said {
  const heard = ledger.at(seq)
  const request = heard.kind === 'answer' ? heard.request : openingOf(ledger, seq)
  const address = request === null ? '' : requestLine({ ...request, body: undefined })
  const signature = { by: request?.by ?? 'full', in: 'query', ageS: 0, isAltered: false } as const
  const asking = { afterMs: seq, address: address.replace(/^\w+ /, ''), signature }
  if (heard.kind !== 'answer') {
    const text = heard.kind === 'frame' ? heard.text.slice(0, TEXT_MAX) : heard.kind
    const from = heard.kind === 'frame' ? heard.from : ('target' as const)
    const frames = [{ afterMs: seq, from, text }]
    const said: SaidSocket = {
      kind: 'socket',
      ...asking,
      answer: null,
      frames,
      omitted: 0,
      closeCode: null,
    }
    return said
  }
  const { status, contentType, text } = heard
  const { method, body } = heard.request
  const written = typeof body === 'string' ? body : JSON.stringify(body)
  const said: SaidRequest = {
    kind: 'request',
    ...asking,
    method: method as Method,
    ...(body === undefined ? {} : { body: (written ?? '').slice(0, TEXT_MAX) }),
    answer: { afterMs: seq, status, contentType, text: text.slice(0, TEXT_MAX) },
  }
  return said
}
