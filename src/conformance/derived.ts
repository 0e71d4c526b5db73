/** Cases derived from the declarations. */

import { CHANNELS, OPERATIONS } from '../contract/catalogue.ts'
import { meaningOf } from '../contract/meaning.ts'
import { envelopeOf, type Operation } from '../contract/operation.ts'
import { type Parameter, parametersOf } from '../contract/parameters.ts'
import { type Answers, DEFAULT_ANSWERS, QUESTIONS, type QuestionId } from '../contract/questions.ts'
import { INDICATOR_KEYS } from '../contract/records/indicator.ts'
import { TRADER_COLUMNS } from '../contract/records/trader-search.ts'
import { envelopeMismatch, schemaMismatch } from './declared-violations.ts'
import { channelCases } from './derived/channels.ts'
import { parameterCases } from './derived/parameters.ts'
import {
  callerOf,
  exampleRequests,
  firstExampleRequest,
  isSafeToCall,
  isServed,
  TRIES,
} from './derived/tested-operation.ts'
import { UNUSED_ADDRESS } from './example-filler.ts'
import type { Case, Probe } from './probe.ts'
import type { ProbeExchange, ProbeRequest } from './probe-request.ts'
import { requirementsOf } from './requirements.ts'
import { assertRefused, assertSame, isJsonObject } from './responses.ts'
import type { Need } from './target.ts'

// Each operation with many subjects, with each of its switches, and with every answer to its open
// questions.

/** One case for subjects, one for the answers to open questions. */
function formCases(operation: Operation): Case[] {
  if (!isSafeToCall(operation)) return []
  const { id } = operation
  const common = {
    checks: requirementsOf(id, 'answer'),
    ...(callerOf(operation) === 'partner' ? { needs: ['partner'] as const } : {}),
  }
  const ofAll: Case = {
    ...common,
    id: `forms.${id}`,
    title: `${id} keeps its form for every subject`,
    async run(probe: Probe) {
      for (const request of await formRequests(probe, operation))
        judgeAnswer(probe, operation, await probe.request(request))
      if (probe.evidence === 'refusal') probe.skip('the target refuses every request')
    },
  }
  return [...(parametersOf(operation).length > 0 ? [ofAll] : []), ...openFormCases(operation)]
}

/** In sandboxes with the other answers to the operation's open questions. */
function openFormCases(operation: Operation): Case[] {
  const { id } = operation
  const open = otherAnswers(operation)
  if (open.length === 0) return []
  return [
    {
      id: `open-forms.${id}`,
      title: `${id} has a declared form for each answer to its open questions`,
      checks: requirementsOf(id, 'answer'),
      needs: ['control'],
      async run(probe: Probe) {
        const { answering } = probe.target.control ?? {}
        if (!answering) probe.skip('the target has one answer to open questions')
        // Subjects are the same in all of them, but times are not.
        const same = isDated(operation) ? null : await formRequests(probe, operation, OTHERS_MAX)
        for (const questions of open) {
          const other = probe.at(await answering(questions as Record<string, string>))
          for (const request of same ?? (await formRequests(other, operation, OTHERS_MAX)))
            judgeAnswer(other, operation, await other.request(request), {
              ...DEFAULT_ANSWERS,
              ...questions,
            })
          if (other.evidence === 'values') probe.evidence = 'values'
        }
      },
    },
  ]
}

/** Whether requests name an exact instant, which differs between sandboxes. */
const isDated = (operation: Operation): boolean =>
  parametersOf(operation).some(({ schema }) => meaningOf(schema) === 'instant')

/** Sets of answers that contain each non-default answer to each question once. */
function otherAnswers({ assumed }: Operation): Partial<Answers>[] {
  const questions = assumed.filter((line) => line in QUESTIONS) as QuestionId[]
  const all = questions.map((id) => {
    const { answers, chosen } = QUESTIONS[id]
    return [...Object.keys(answers).filter((answer) => answer !== chosen), chosen]
  })
  const longest = Math.max(0, ...all.map((answers) => answers.length))
  // Twice around, so that two questions do not always have the same pair of answers.
  const count = questions.length > 1 ? 2 * longest : longest
  const sets = Array.from({ length: count }, (_, rank) =>
    Object.fromEntries(
      questions.map((id, at) => [id, all[at]?.[(rank + at) % (all[at]?.length ?? 1)] ?? '']),
    ),
  )
  return [...new Map(sets.map((set) => [JSON.stringify(set), set])).values()]
}

/** Number of subjects, and for each other answer. */
const [MANY, OTHERS_MAX] = [32, 20]
/** Enough rows of each. */
const ROWS = 60

async function formRequests(
  probe: Probe,
  operation: Operation,
  count = MANY,
): Promise<ProbeRequest[]> {
  const first = await firstExampleRequest(probe, operation)
  const requested: ProbeRequest[] = []
  for (const example of operation.examples)
    requested.push(...(await exampleRequests(probe, operation, example, count)))
  for (const parameter of parametersOf(operation))
    for (const value of switched(parameter)) requested.push(withValue(first, parameter, value))
  requested.push(...unknownAddressRequests(operation, first))
  requested.push(...((await FURTHER_REQUESTS[operation.id]?.(probe, first)) ?? []))
  return requested.map((request) => withFewRows(operation, request))
}

/** Both positions of a switch, and each word of a body; those of a query have their own cases. */
function switched({ place, schema }: Parameter): unknown[] {
  if (schema.type === 'boolean') return [true, false]
  return place === 'body' ? ((schema.enum as unknown[] | undefined) ?? []) : []
}

function withValue(request: ProbeRequest, { place, name }: Parameter, value: unknown) {
  if (place === 'body') return { ...request, body: { ...(request.body as object), [name]: value } }
  return { ...request, query: { ...request.query, [name]: String(value) } }
}

/** Where a response may be null: unknown accounts and coins. */
function unknownAddressRequests({ data, path }: Operation, first: ProbeRequest): ProbeRequest[] {
  const mayBeNull = (data.anyOf as { type?: string }[] | undefined)?.some(
    ({ type }) => type === 'null',
  )
  if (!mayBeNull) return []
  const unknownPath = first.path.replace(/0x[0-9a-f]{40}/, UNUSED_ADDRESS)
  const nothing = path.endsWith('/:coin') ? first.path.replace(/[^/]+$/, 'NOSUCH') : first.path
  const query = 'coin' in (first.query ?? {}) ? { ...first.query, coin: 'NOSUCH' } : first.query
  return [unknownPath, nothing].map((at) => ({ ...first, path: at, ...(query ? { query } : {}) }))
}

function withFewRows(operation: Operation, request: ProbeRequest): ProbeRequest {
  const limit = parametersOf(operation).find(
    ({ name, place, schema }) => name === 'limit' && place === 'query' && schema.type === 'integer',
  )
  return limit ? { ...request, query: { ...request.query, limit: ROWS } } : request
}

/** Further requests that show parts of an operation's declaration, by its id. */
type Further = (probe: Probe, first: ProbeRequest) => ProbeRequest[] | Promise<ProbeRequest[]>

const bodies =
  (...all: object[]): Further =>
  (_, first) =>
    all.map((body) => ({ ...first, body: { ...(first.body as object), ...body } }))

const queries =
  (...all: Record<string, string>[]): Further =>
  (_, first) =>
    all.map((query) => ({ ...first, query: { ...first.query, ...query } }))

/** All columns, none but one, and those loaded on request only. */
const search = bodies(
  { pageSize: 25, selects: TRADER_COLUMNS, loadPnls: true, loadTags: true },
  { pageSize: 25, selects: ['winRate'] },
  { pageSize: 25, selects: ['positionCount'] },
  { pageSize: 25, selects: TRADER_COLUMNS, sort: { field: 'snapEffLeverage', dir: 'asc' } },
  { pageSize: 25, selects: TRADER_COLUMNS, sort: { field: 'oaLastOrderAt', dir: 'asc' } },
)

const FURTHER_REQUESTS: Readonly<Record<string, Further>> = {
  'indicator.records': queries(
    ...INDICATOR_KEYS.map((key) => ({ indicator_key: key, size: '20' })),
  ),
  'mix.fundcoScale': queries(
    { coins: 'btc,ltc,eth,bch,xrp,xlm,zec,zen,etc' },
    { coins: 'ltc' },
    { coins: 'nosuch' },
  ),
  'perpdex.tradersDiscover': search,
  'perpdex.tradersDiscoverHistory': search,
  'stock.topGainer': queries({ hk_stock: 'true' }, { us_stock: 'true' }),
  'stock.topGainerByPost': bodies({ hk_stock: true }, { us_stock: true }),
  'content.newsDetail': async (probe, first) => [
    { ...first, query: { id: 1 } },
    ...(await each(probe, '/content/news-list', 'id', (id) => ({ ...first, query: { id } }))),
  ],
  'stock.company': (_, first) => [
    { ...first, path: first.path.replace(/[^/]+$/, 'i:nosuch:nasdaq') },
  ],
  'content.flashList': earlier,
  'content.aiCoins': async (probe, first) => {
    const { json } = await probe.lookup.request({ path: '/coin' })
    const coinKeys = rowsIn(json).map((row) => String(row.coin_key))
    return [{ ...first, body: { ...(first.body as object), coinKeys } }]
  },
}

/** Maximum pages and articles. */
const PAGES_MAX = 12

/** One request for each row of a list. */
async function each(
  probe: Probe,
  path: string,
  name: string,
  ask: (value: string) => ProbeRequest,
): Promise<ProbeRequest[]> {
  const { json } = await probe.lookup.request({ path, query: { pageSize: PAGES_MAX } })
  return rowsIn(json).map((row) => ask(String(row[name])))
}

/** Successive pages, each from the last row of the one before. */
async function earlier(probe: Probe, first: ProbeRequest): Promise<ProbeRequest[]> {
  const pages: ProbeRequest[] = []
  let last: unknown
  for (let page = 0; page < PAGES_MAX; page++) {
    const query = { ...first.query, ...(last === undefined ? {} : { createtime: String(last) }) }
    pages.push({ ...first, query })
    const { json } = await probe.lookup.request({ ...first, query })
    last = rowsIn(json).at(-1)?.createtime
    if (last === undefined) break
  }
  return pages
}

const rowsIn = (json: unknown) =>
  isJsonObject(json) && Array.isArray(json.data) ? json.data.filter(isJsonObject) : []

/** Access to each operation, and the refusal of others. */
const REFUSED_ANYWAY = 'who signs rightly and may call it is refused as well'

const UNKNOWN_KEY = { accessKey: 'unknown', secretKey: 'nothing' }

/** Requests without a valid signature, by description. */
const UNAUTHENTICATED: Record<string, Partial<ProbeRequest>> = {
  'without a signature': { signedIn: 'nowhere' },
  'with a wrong signature': { tamper: (right) => ({ ...right, Signature: 'bm90IHNpZ25lZA==' }) },
  // With a held clock only earlier signatures age.
  'with a signature of an hour ago': { ageS: 3600 },
  'with a signature of the next minute': { ageS: -60 },
  'with an unknown key': { signedBy: UNKNOWN_KEY },
}

/** One case for unsigned requests, one for keys without the permission. */
function accessCases(operation: Operation): Case[] {
  const { access, id, profile, servedWhen } = operation
  if (access.kind === 'public' || profile || servedWhen) return []
  const checks = requirementsOf(id, 'access')
  const unauthenticated = Object.entries(UNAUTHENTICATED).map(([how, as]): Case => {
    const place = how.replaceAll(' ', '-')
    return {
      id: `access.${id}.${place}`,
      title: `${id} refuses requests ${how}`,
      checks: [...checks, 'auth.parameters'].filter((one, at, all) => all.indexOf(one) === at),
      async run(probe: Probe) {
        const exchange = await probe.request({
          ...(await firstExampleRequest(probe, operation)),
          ...as,
        })
        assertRefused(probe, exchange, '401', `${id} is refused with 401 ${how}`)
        const { msg } = isJsonObject(exchange.json) ? exchange.json : {}
        assertSame(probe, msg, 'Invalid signature', `the words are "Invalid signature" ${how}`)
        if (!(await isServed(probe, operation))) probe.skip(REFUSED_ANYWAY)
      },
    }
  })
  return [...unauthenticated, ...forbiddenCases(operation, checks)]
}

/** The key without the permission, and the wording of its refusal. */
function forbiddenCases(operation: Operation, checks: readonly string[]): Case[] {
  const { access, id } = operation
  if (access.kind === 'signed' || access.kind === 'public') return []
  const who: Need & ('bare' | 'sub') = access.kind === 'permission' ? 'bare' : 'sub'
  const name = access.kind === 'permission' ? access.name : 'DISTRIBUTOR'
  return [
    {
      id: `access.${id}.permission`,
      title: `${id} names the permission ${name} in its refusal`,
      checks: [...new Set([...checks, 'auth.permission'])],
      needs: [who],
      async run(probe: Probe) {
        const exchange = await probe.request({
          ...(await firstExampleRequest(probe, operation)),
          signedBy: who,
        })
        const { status, json } = exchange
        assertSame(probe, status, 403, `${id} is refused with 403`)
        assertRefused(probe, exchange, '403', `${id} is refused in envelope B`)
        const words = `Permission denied: ${name}`
        const reported = { expected: words, found: isJsonObject(json) ? json.msg : null }
        probe.assert(namesPermission(exchange, name), `the words are "${words}"`, reported)
        if (!(await isServed(probe, operation))) probe.skip(REFUSED_ANYWAY)
      },
    },
  ]
}

const namesPermission = ({ json }: ProbeExchange, name: string): boolean =>
  isJsonObject(json) && [json.msg, json.error, json.message].includes(`Permission denied: ${name}`)

// Each example of each operation: status, content type, envelope and schema of its response.

/** One case for each example. */
const answerCases = (operation: Operation): Case[] =>
  !isSafeToCall(operation)
    ? []
    : operation.examples.map((example, at) => ({
        id: `answer.${operation.id}.${at + 1}`,
        title: `${operation.id} answers "${example.name}" in its envelope and form`,
        checks: requirementsOf(operation.id, 'answer'),
        ...(callerOf(operation) === 'partner' ? { needs: ['partner'] as const } : {}),
        async run(probe: Probe) {
          // An empty list has every form: other subjects are tried until there is data.
          for (const request of await exampleRequests(probe, operation, example, TRIES)) {
            judgeAnswer(probe, operation, await probe.request(request))
            if (probe.evidence === 'values') return
          }
          if (probe.evidence === 'refusal')
            probe.skip('the target does not know the subject of the example')
        },
      }))

/**
 * Judges status, content type, envelope and schema of a response; a refusal of a missing subject is
 * accepted.
 */
export function judgeAnswer(
  probe: Pick<Probe, 'assert'>,
  operation: Operation,
  exchange: ProbeExchange,
  answers: Answers = DEFAULT_ANSWERS,
): void {
  const { status, contentType, json } = exchange
  const mayRefuse = operation.refuses.length > 0
  if (mayRefuse && status !== 200) return
  probe.assert(status === 200, `${operation.id} is answered with 200, not ${status}`, exchange)
  probe.assert(/json/.test(contentType), `the answer says that it is JSON: ${contentType}`, {
    expected: 'application/json',
    found: contentType,
  })
  const flaw = envelopeMismatch(envelopeOf(operation, answers), json)
  if (flaw && mayRefuse && isJsonObject(json) && isRefusal(json)) return
  probe.assert(flaw === null, `${operation.id}: ${flaw}`, exchange)
  const data = operation.envelope.kind === 'bare' ? json : (json as { data?: unknown }).data
  if (operation.envelope.kind === 'C' && !operation.envelope.data) return
  const wrong = schemaMismatch(operation.data, data)
  probe.assert(wrong === null, `${operation.id}: ${wrong}`, exchange)
}

const isRefusal = ({ success, code }: Record<string, unknown>): boolean =>
  success === false || (typeof code === 'string' && !['0', '200'].includes(code))

export const DERIVED_CASES: readonly Case[] = [
  ...OPERATIONS.flatMap((operation) => [
    ...answerCases(operation),
    ...accessCases(operation),
    ...parameterCases(operation),
    ...formCases(operation),
  ]),
  ...CHANNELS.flatMap(channelCases),
]
