/** The ledger of recorded traffic: the rules over a whole run judge it like that of a run. */

import { type HeardRequest, Ledger } from '../ledger/ledger.ts'
import { ledgerResults } from '../ledger/ledger-rule.ts'
import { LEDGER_RULES } from '../ledger/rules.ts'
import type { Result } from '../runner.ts'
import {
  type Fetched,
  type RecordedExchange,
  type RecordedMessage,
  requestedFor,
} from './recorded-answers.ts'

export class RecordedLedger {
  private readonly ledger = new Ledger()
  /** Rises where something is missing: what is on both sides of it is not compared. */
  private part = 0
  private readonly sockets = new Set<number>()

  exchange({ method, url, requestBody, status, headers, responseBody, seq }: RecordedExchange) {
    const requested = requestedFor(method, url, requestBody)
    if (requested === null) return
    const contentType = headers['content-type'] ?? ''
    const answer = { request: heardRequest(requested), status, contentType, text: responseBody }
    this.ledger.hear({ kind: 'answer', ...this.at(seq), ...answer }, responseBody.length)
  }

  opened(socket: number, url: string, seq: number): void {
    const requested = requestedFor('GET', url)
    if (requested === null) return
    this.sockets.add(socket)
    const request = heardRequest(requested)
    this.ledger.hear({ kind: 'opened', ...this.at(seq), socket, request }, 0)
  }

  closed(socket: number, code: number, seq: number): void {
    if (this.sockets.delete(socket))
      this.ledger.hear({ kind: 'closed', ...this.at(seq), socket, code }, 0)
  }

  message({ connection: socket, direction, text, seq }: RecordedMessage): void {
    if (!this.sockets.has(socket)) return
    const from = direction === 'in' ? 'suite' : 'target'
    this.ledger.hear({ kind: 'frame', ...this.at(seq), socket, from, text }, text.length)
  }

  /** Something is missing before what follows. */
  gap(): void {
    this.part++
    this.sockets.clear()
  }

  /** Number of entries that were not kept, as there was no room. */
  get omitted(): number {
    return this.ledger.omitted
  }

  /** Results of the rules that had something to compare; frees what is kept. */
  async results(turn?: () => Promise<void>): Promise<Result[]> {
    const all = await ledgerResults(this.ledger, LEDGER_RULES, turn)
    this.ledger.close()
    return all.filter(({ verdict }) => verdict !== 'skipped')
  }

  private at(event: number) {
    return { place: this.part, instant: 0, event }
  }
}

/** Whoever signed it: the recorder left its credentials out. */
function heardRequest({ method, path, query, body }: Fetched): HeardRequest {
  return {
    method,
    path,
    ...(query.length === 0 ? {} : { query: Object.fromEntries(query) }),
    ...(body === undefined ? {} : { body }),
    by: 'full',
    isSigned: true,
  }
}
