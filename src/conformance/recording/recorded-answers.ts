/** What a recording would answer to what the suite asks: the same requests, found again. */
import { meaningOf } from '../../contract/meaning.ts'
import { parametersOf } from '../../contract/parameters.ts'
import { isJsonObject } from '../parsed-json.ts'
import { isSuccess } from '../response-reading.ts'
import { operationAt } from '../said-data.ts'
import { type Asked, askedFor, probeExchange, type RecordedExchange } from './recorded-traffic.ts'

/** Exchanges that are kept to answer from. */
const KEPT_MAX = 20_000

/** Messages of a socket that are kept, and sockets. */
const [MESSAGES_MAX, SOCKETS_MAX] = [5_000, 50]

/** What a client said, and what it was told until it said something else. */
export interface Turn {
  said: string
  told: string[]
}

export class RecordedAnswers {
  private readonly exact = new Map<string, RecordedExchange[]>()
  /** Answers of success by what was asked but for whom or what it was about. */
  private readonly alike = new Map<string, RecordedExchange[]>()
  private readonly subjects = new Set<string>()
  private readonly sockets = new Map<number, { path: string; turns: Turn[]; count: number }>()
  private kept = 0

  /** Keeps an exchange to answer from. */
  add(recorded: RecordedExchange): void {
    const asked = askedFor(recorded.method, recorded.url, recorded.requestBody)
    if (asked === null || this.kept >= KEPT_MAX) return
    this.kept++
    push(this.exact, keyOf(asked), recorded)
    if (!isSuccess(probeExchange(asked, recorded))) return
    push(this.alike, keyOf(withoutSubjects(asked)), recorded)
    for (const subject of subjectsOf(asked)) this.subjects.add(subject)
  }

  opened(connection: number, url: string): void {
    const asked = askedFor('GET', url)
    if (asked === null || this.sockets.size >= SOCKETS_MAX) return
    this.sockets.set(connection, { path: asked.path, turns: [], count: 0 })
  }

  message(connection: number, direction: 'in' | 'out', text: string): void {
    const socket = this.sockets.get(connection)
    if (socket === undefined || socket.count++ >= MESSAGES_MAX) return
    if (direction === 'in') socket.turns.push({ said: canonical(text), told: [] })
    else socket.turns.at(-1)?.told.push(text)
  }

  /**
   * The answers to a request in the order in which they came: to the same one, or to one about
   * something else of which the recording knows that it is there.
   */
  to(asked: Asked): readonly RecordedExchange[] {
    const same = this.exact.get(keyOf(asked))
    if (same !== undefined) return same
    if (!subjectsOf(asked).every((one) => this.subjects.has(one))) return []
    return this.alike.get(keyOf(withoutSubjects(asked))) ?? []
  }

  /** What was told on sockets of a path after this was said. */
  after(path: string, said: string): readonly string[] | null {
    const text = canonical(said)
    for (const socket of this.sockets.values())
      if (socket.path === path)
        for (const turn of socket.turns) if (turn.said === text) return turn.told
    return null
  }
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key)
  if (known) known.push(value)
  else map.set(key, [value])
}

const keyOf = ({ method, path, query, body }: Asked): string =>
  JSON.stringify([method, path, [...query].sort(), ordered(body)])

const SUBJECTS: readonly unknown[] = ['coin', 'address', 'symbol']

/** The values that say whom or what it is about. */
function subjectsOf(asked: Asked): string[] {
  const operation = operationAt(asked.method, asked.path)
  if (operation === undefined) return []
  return parametersOf(operation).flatMap(({ place, name, schema }) => {
    if (!SUBJECTS.includes(meaningOf(schema))) return []
    if (place === 'path') return [segment(operation.path, name, asked.path)]
    if (place === 'query') return asked.query.filter(([one]) => one === name).map(([, of]) => of)
    return isJsonObject(asked.body) && name in asked.body ? [String(asked.body[name])] : []
  })
}

/** The same with a blank in place of each of those. */
function withoutSubjects(asked: Asked): Asked {
  const subjects = new Set(subjectsOf(asked))
  const blank = (value: string) => (subjects.has(value) ? '' : value)
  const { method, path, query, body } = asked
  return {
    method,
    path: path.split('/').map(blank).join('/'),
    query: query.map(([name, value]) => [name, blank(value)]),
    body: isJsonObject(body)
      ? Object.fromEntries(
          Object.entries(body).map(([name, value]) => [
            name,
            typeof value === 'string' ? blank(value) : value,
          ]),
        )
      : body,
  }
}

/** What stands in a path where its pattern has `:name`. */
function segment(pattern: string, name: string, path: string): string {
  const at = pattern.split('/').indexOf(`:${name}`)
  return path.split('/')[at] ?? ''
}

/** JSON whatever the order of its fields; other text as it is. */
function canonical(text: string): string {
  try {
    return JSON.stringify(ordered(JSON.parse(text)))
  } catch {
    return text
  }
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (!isJsonObject(value)) return value ?? null
  const entries = Object.entries(value).map(([name, inner]) => [name, ordered(inner)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
