/** Judges what a recording has of a client's traffic against the contract; nothing is asked. */
import { CHANNELS } from '../../contract/index.ts'
import { envelopeOf, type Operation } from '../../contract/operation.ts'
import { parametersOf } from '../../contract/parameters.ts'
import { DEFAULT_ANSWERS } from '../../contract/questions.ts'
import { REFUSALS } from '../../contract/refusal-forms.ts'
import { evidenceIn, isTooMany } from '../answer-content.ts'
import type { Said } from '../conversation.ts'
import { frameFlaw } from '../declared-flaws.ts'
import { timeOf } from '../derived/row-times.ts'
import { isJsonObject, parsedJson } from '../parsed-json.ts'
import type { ProbeExchange } from '../probe-request.ts'
import { isPong, type SocketFrame } from '../probe-socket.ts'
import { requirementsOf } from '../requirements.ts'
import { isSuccess } from '../response-reading.ts'
import type { Result } from '../runner.ts'
import { channelOf, operationAt, pushedData } from '../said-data.ts'
import { SchemaCoverage } from '../schema-coverage.ts'
import { contentFlaw, formFlaw, limitFlaw } from './recorded-flaws.ts'
import {
  type Asked,
  askedFor,
  probeExchange,
  type RecordedExchange,
  type RecordedMessage,
} from './recorded-traffic.ts'
import { saidExchange, saidFrame } from './said-records.ts'
import { Tally } from './tally.ts'
import { UnknownList } from './unknown-list.ts'
import { unknownParts } from './unknown-parts.ts'

export class RecordingJudge {
  private readonly tallies = new Map<string, Tally>()
  readonly coverage = new SchemaCoverage()
  private readonly unknown = new UnknownList()
  /** Path of each socket below the prefix. */
  private readonly paths = new Map<number, string>()
  private readonly lastTimes = new Map<string, number>()

  /** What the contract does not know, each with how often and where it was first. */
  get notes(): string[] {
    return this.unknown.lines()
  }

  exchange(recorded: RecordedExchange): void {
    const { method, url, requestBody, seq, status } = recorded
    const asked = askedFor(method, url, requestBody)
    const operation = asked === null ? undefined : operationAt(asked.method, asked.path)
    if (asked === null || operation === undefined)
      return this.unknown.add(`the path ${method} ${url.split('?')[0]}`, status, seq)
    const exchange = probeExchange(asked, recorded)
    this.unknownParameters(operation, asked, seq)
    const said = () => saidExchange(recorded)
    const tally = this.tallyOf('answer', operation.id, 'answers in its envelope and form')
    if (evidenceIn(status, exchange.json) === 'refusal' || isTooMany(status, exchange.text)) {
      tally.pass()
      return this.refusal(operation, exchange, seq)
    }
    const flaw = formFlaw(operation, exchange)
    tally.judge(flaw, seq, said)
    this.parts(operation, exchange, seq)
    if (flaw !== null) return
    this.coverage.listener.onAnswer?.(exchange)
    this.tallyOf(
      'content',
      operation.id,
      'orders rows and writes numbers and times as it must',
    ).judge(contentFlaw(asked, exchange), seq, said)
    this.tallyOf('limit', operation.id, 'gives no more rows than were asked for').judge(
      limitFlaw(operation, asked, exchange),
      seq,
      said,
    )
  }

  /** A socket was opened. */
  opened(connection: number, url: string, seq: number): void {
    const asked = askedFor('GET', url)
    const isKnown = CHANNELS.some(({ dialect }) => dialect.path === asked?.path)
    if (asked === null || !isKnown)
      return this.unknown.add(`the socket ${url.split('?')[0]}`, 101, seq)
    this.paths.set(connection, asked.path)
  }

  message({ connection, direction, text, seq }: RecordedMessage): void {
    const path = this.paths.get(connection)
    if (path === undefined || direction === 'in') return
    const frame = parsedJson(text)
    if (!isJsonObject(frame)) return this.unknown.add('a frame that is no JSON object', text, seq)
    const channel = channelOf(path, frame)
    if (channel === undefined) return this.reply(frame, seq)
    const said = () => saidFrame(path, text)
    const tally = this.tallyOf('push', channel.id, 'pushes what was declared')
    const flaw = frameFlaw(path, frame)?.message ?? null
    tally.judge(flaw, seq, said)
    const data = pushedData(frame)
    unknownParts(channel.id, channel.data, data, (part, found) =>
      this.unknown.add(part, found, seq),
    )
    if (flaw !== null) return
    this.coverage.listener.onFrame?.(path, frame)
    this.order(`${connection} ${channel.id}`, channel.id, { data, seq, said })
  }

  /** What has become of each respect in which something was judged. */
  results(): Result[] {
    const results = [...this.tallies.values()].map((tally) => tally.result())
    return results.sort((a, b) => (a.id < b.id ? -1 : 1))
  }

  /** Pushes of one state do not go back in time. */
  private order(
    socket: string,
    id: string,
    { data, seq, said }: { data: unknown; seq: number; said: () => Said[] },
  ): void {
    if (!isJsonObject(data)) return
    const time = timeOf(data)
    if (time === null) return
    const key = `${socket} ${data.coin ?? ''} ${data.interval ?? ''} ${data.nSigFigs ?? ''}`
    const before = this.lastTimes.get(key) ?? time
    this.lastTimes.set(key, time)
    const flaw = time >= before ? null : `${id}: a push is of ${time}, after one of ${before}`
    this.tallyOf('order', id, 'pushes in order of time').judge(flaw, seq, said)
  }

  private parts(operation: Operation, exchange: ProbeExchange, seq: number): void {
    const isBare = envelopeOf(operation, DEFAULT_ANSWERS).kind === 'bare'
    if (!isBare && !isSuccess(exchange)) return
    const data = isBare ? exchange.json : (exchange.json as { data?: unknown }).data
    unknownParts(operation.id, operation.data, data, (part, found) =>
      this.unknown.add(part, found, seq),
    )
  }

  private refusal(operation: Operation, { status, json }: ProbeExchange, seq: number): void {
    const code = isJsonObject(json) ? String(json.code ?? json.errorCode ?? '') : ''
    if (KNOWN_CODES.has(code || String(status))) return
    this.unknown.add(`a refusal of ${operation.id}`, { status, code }, seq)
  }

  private reply(frame: SocketFrame, seq: number): void {
    if (isPong(frame) || !('data' in frame) || typeof frame.channel !== 'string') return
    if (KNOWN_REPLIES.has(frame.channel)) return
    this.unknown.add(`the channel ${frame.channel}`, frame.data, seq)
  }

  private unknownParameters(operation: Operation, { query }: Asked, seq: number): void {
    const known = new Set(parametersOf(operation).map(({ name }) => name))
    for (const [name, value] of query)
      if (!known.has(name)) this.unknown.add(`the parameter ${name} of ${operation.id}`, value, seq)
  }

  private tallyOf(respect: string, id: string, title: string): Tally {
    const key = `recorded.${respect}.${id}`
    const known = this.tallies.get(key)
    if (known) return known
    const checks = requirementsOf(id, respect === 'limit' ? 'limits' : 'answer')
    const tally = new Tally(key, `${id} ${title}, in everything that was recorded`, checks)
    this.tallies.set(key, tally)
    return tally
  }
}

const KNOWN_REPLIES = new Set(['subscriptionResponse', 'error', 'pong', 'post'])

const KNOWN_CODES = new Set(
  Object.values(REFUSALS).flatMap(({ status, code }) => [String(status), code]),
)
