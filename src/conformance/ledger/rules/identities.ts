/** Identities between the answers that a run happens to have of one instant. */

import type { Slices } from '../../../clock/turns.ts'
import type {
  Identity,
  InfoBody,
  OperationQuestion,
  Question,
} from '../../../contract/identities/identity.ts'
import { questionRequest } from '../../../contract/identities/question-requests.ts'
import { type Finding, reconciled } from '../../../contract/identities.ts'
import { meaningOf } from '../../../contract/meaning.ts'
import type { Operation } from '../../../contract/operation.ts'
import { parametersOf } from '../../../contract/parameters.ts'
import { checksOf, isWrong, JUDGED_IDENTITIES } from '../../identity-questions.ts'
import type { ProbeRequest } from '../../probe-request.ts'
import { isJsonObject } from '../../responses.ts'
import type { Ledger } from '../ledger.ts'
import { Hearing, type LedgerRule, type Piece, type RuleFindings } from '../ledger-rule.ts'

/** Maximum numbers of answers and subjects of an instant. */
const [ANSWERS_MAX, SUBJECTS_MAX] = [20_000, 500]
/** Maximum size of the answers that are kept parsed, characters. */
const PARSED_MAX = 4 * 1024 * 1024

const identities: LedgerRule = {
  id: 'ledger.identities',
  title: 'answers of one instant add up, whichever cases requested them',
  checks: [...new Set([...JUDGED_IDENTITIES.address, ...JUDGED_IDENTITIES.coin].flatMap(checksOf))],
  judge: (findings, ledger) => {
    let isHeld = false
    let instant = new Instant(ledger)
    const end = () => {
      const work = isHeld ? instant.judge(findings) : undefined
      instant = new Instant(ledger)
      return work
    }
    return {
      hear(hearing) {
        if (hearing.heard.kind === 'moved') {
          const work = end()
          isHeld = true
          return work
        }
        if (isHeld) instant.hear(hearing)
      },
      end,
    }
  },
}

/** The answers of one instant by their requests, and whom they are about. */
class Instant {
  /** Entries. */
  private readonly answers = new Map<string, number>()
  private readonly subjects = { address: new Set<string>(), coin: new Set<string>() }
  private readonly parsed = new Map<number, unknown>()
  private parsedLength = 0

  constructor(private readonly ledger: Ledger) {}

  hear(hearing: Hearing): void {
    const { heard, operation, seq } = hearing
    if (heard.kind !== 'answer' || operation === undefined || hearing.data === undefined) return
    if (heard.request.by !== 'full' || this.answers.size >= ANSWERS_MAX) return
    const key = keyOf(heard.request as ProbeRequest)
    if (this.answers.has(key)) return
    this.answers.set(key, seq)
    for (const [kind, subject] of subjectsOf(operation, heard.request as ProbeRequest))
      if (this.subjects[kind].size < SUBJECTS_MAX) this.subjects[kind].add(subject)
  }

  *judge(findings: RuleFindings): Slices<void> {
    for (const kind of ['address', 'coin'] as const)
      for (const subject of this.subjects[kind]) {
        for (const identity of JUDGED_IDENTITIES[kind]) this.compare(identity, subject, findings)
        yield
      }
  }

  private compare(identity: Identity, subject: string, { compared, broken }: RuleFindings): void {
    const used: number[] = []
    for (const one of this.findings(identity, subject, used) ?? []) {
      compared()
      if (!isWrong(one)) continue
      const [first = 0, last = first] = [used[0], used.at(-1)]
      const [left, right]: [Piece, Piece] = [
        { seq: first, value: { of: one.of, left: one.left } },
        { seq: last, value: { of: one.of, right: one.right } },
      ]
      const relation = one.relation === 'equal' ? 'equal to' : 'at most'
      const text = `${one.left} is not ${relation} ${one.right}`
      broken(`${identity.id} of ${subject}, ${one.of}: ${text}: ${identity.sentence}`, left, right)
    }
  }

  /** What it finds; null where an answer is missing, or has another form than the declared one. */
  private findings(identity: Identity, subject: string, used: number[]): Finding[] | null {
    const comparing = reconciled(identity, subject)
    try {
      let step = comparing.next()
      while (!step.done) {
        const seq = step.value === undefined ? undefined : this.entryFor(step.value)
        if (step.value !== undefined && seq === undefined) return null
        if (seq !== undefined) used.push(seq)
        step = comparing.next(seq === undefined ? undefined : this.dataOf(seq))
      }
      return step.value
    } catch (error) {
      if (error instanceof TypeError || error instanceof RangeError) return null
      throw error
    }
  }

  private entryFor(question: Question): number | undefined {
    if ('channel' in question) return undefined
    return this.answers.get(keyOf(questionRequest(question as InfoBody | OperationQuestion)))
  }

  private dataOf(seq: number): unknown {
    if (this.parsed.has(seq)) return this.parsed.get(seq)
    const heard = this.ledger.at(seq)
    const length = 'text' in heard ? heard.text.length : 0
    if (this.parsedLength + length > PARSED_MAX) {
      this.parsed.clear()
      this.parsedLength = 0
    }
    const { data } = new Hearing(seq, heard)
    this.parsedLength += length
    this.parsed.set(seq, data)
    return data
  }
}

/** The same text for requests that mean the same: of names in any order, of numbers as texts. */
function keyOf({ method = 'GET', path, query = {}, body }: ProbeRequest): string {
  const sorted = (given: object) =>
    Object.entries(given)
      .filter(([, value]) => value !== undefined && value !== '')
      .sort(([a], [b]) => (a < b ? -1 : 1))
  const named = sorted(query).map(([name, value]) => `${name}=${value}`)
  return JSON.stringify([method, decoded(path), named, isJsonObject(body) ? sorted(body) : body])
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Accounts and coins of a request. */
function* subjectsOf(
  operation: Operation,
  { path, query = {}, body }: ProbeRequest,
): Iterable<['address' | 'coin', string]> {
  const segments = path.split('/')
  for (const { place, name, schema } of parametersOf(operation)) {
    const kind = meaningOf(schema)
    if (kind !== 'address' && kind !== 'coin') continue
    const at = operation.path.split('/').indexOf(`:${name}`)
    const values: Record<string, unknown> = isJsonObject(body) ? body : {}
    const value =
      place === 'path'
        ? decoded(segments[at] ?? '')
        : place === 'query'
          ? query[name]
          : values[name]
    if (typeof value === 'string' && value !== '') yield [kind, value]
  }
  if (operation.id !== 'perpdex.info' || !isJsonObject(body)) return
  if (typeof body.user === 'string') yield ['address', body.user]
  if (typeof body.coin === 'string') yield ['coin', body.coin]
}

export const IDENTITY_RULES: readonly LedgerRule[] = [identities]
