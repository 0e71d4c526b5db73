/** Cases that come from the declarations. */

import { CHANNELS, OPERATIONS } from '../contract/catalogue.ts'
import { meaningOf } from '../contract/meaning.ts'
import { envelopeOf, type Operation } from '../contract/operation.ts'
import { type Parameter, parametersOf } from '../contract/parameters.ts'
import { type Answers, DEFAULT_ANSWERS, QUESTIONS, type QuestionId } from '../contract/questions.ts'
import { INDICATOR_KEYS } from '../contract/records/indicator.ts'
import { TRADER_COLUMNS } from '../contract/records/trader-search.ts'
import { envelopeMismatch, schemaMismatch } from './declared-flaws.ts'
import {
  callerOf,
  exampleRequests,
  firstExampleRequest,
  isSafeToCall,
  isServed,
  TRIES,
} from './derived/asked-operation.ts'
import { channelCases } from './derived/channels.ts'
import { parameterCases } from './derived/parameters.ts'
import { UNUSED_ADDRESS } from './example-filler.ts'
import type { Case, Probe } from './probe.ts'
import type { ProbeExchange, ProbeRequest } from './probe-request.ts'
import { requirementsOf } from './requirements.ts'
import { assertRefused, assertSame, isJsonObject } from './responses.ts'
import type { Need } from './target.ts'

// Each operation asked about many, with each of its switches, and in every way left open.

/** One case for whom and what is asked about, one for the ways that open questions leave. */
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
    title: `${id} keeps its form whomever and whatever it is asked about`,
    async run(probe: Probe) {
      for (const request of await formRequests(probe, operation))
        judgeAnswer(probe, operation, await probe.request(request))
      if (probe.evidence === 'refusal') probe.skip('the target refuses whatever is asked')
    },
  }
  return [...(parametersOf(operation).length > 0 ? [ofAll] : []), ...openFormCases(operation)]
}

/** In sandboxes that answer the operation's open questions in the other ways. */
function openFormCases(operation: Operation): Case[] {
  const { id } = operation
  const open = otherAnswers(operation)
  if (open.length === 0) return []
  return [
    {
      id: `open-forms.${id}`,
      title: `${id} has one of its forms in each way that open questions leave`,
      checks: requirementsOf(id, 'answer'),
      needs: ['control'],
      async run(probe: Probe) {
        const { answering } = probe.target.control ?? {}
        if (!answering) probe.skip('the target answers open questions in one way')
        // Whom and what there is to ask about is the same in all of them, but not when it was.
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

/** Whether it is asked by the exact instant of something, which each sandbox has at its own. */
const isDated = (operation: Operation): boolean =>
  parametersOf(operation).some(({ schema }) => meaningOf(schema) === 'instant')

/** Sets of answers in which each answer to each of its questions stands once, the usual apart. */
function otherAnswers({ assumed }: Operation): Partial<Answers>[] {
  const questions = assumed.filter((line) => line in QUESTIONS) as QuestionId[]
  const all = questions.map((id) => {
    const { answers, chosen } = QUESTIONS[id]
    return [...Object.keys(answers).filter((answer) => answer !== chosen), chosen]
  })
  const longest = Math.max(0, ...all.map((answers) => answers.length))
  // Twice around, so that of two questions not the same answers always stand together.
  const count = questions.length > 1 ? 2 * longest : longest
  const sets = Array.from({ length: count }, (_, rank) =>
    Object.fromEntries(
      questions.map((id, at) => [id, all[at]?.[(rank + at) % (all[at]?.length ?? 1)] ?? '']),
    ),
  )
  return [...new Map(sets.map((set) => [JSON.stringify(set), set])).values()]
}

/** How many are asked about, and in each other way. */
const [MANY, OTHERS_MAX] = [32, 20]
/** Rows that are enough of each. */
const ROWS = 60

async function formRequests(
  probe: Probe,
  operation: Operation,
  count = MANY,
): Promise<ProbeRequest[]> {
  const first = await firstExampleRequest(probe, operation)
  const asked: ProbeRequest[] = []
  for (const example of operation.examples)
    asked.push(...(await exampleRequests(probe, operation, example, count)))
  for (const parameter of parametersOf(operation))
    for (const value of switched(parameter)) asked.push(withValue(first, parameter, value))
  asked.push(...aboutNobody(operation, first))
  asked.push(...((await FURTHER_REQUESTS[operation.id]?.(probe, first)) ?? []))
  return asked.map((request) => withFewRows(operation, request))
}

/** Both positions of a switch, and each word of a body; a query's have cases of their own. */
function switched({ place, schema }: Parameter): unknown[] {
  if (schema.type === 'boolean') return [true, false]
  return place === 'body' ? ((schema.enum as unknown[] | undefined) ?? []) : []
}

function withValue(request: ProbeRequest, { place, name }: Parameter, value: unknown) {
  if (place === 'body') return { ...request, body: { ...(request.body as object), [name]: value } }
  return { ...request, query: { ...request.query, [name]: String(value) } }
}

/** Where an answer may be null: somebody and something that there is not. */
function aboutNobody({ data, path }: Operation, first: ProbeRequest): ProbeRequest[] {
  const mayBeNull = (data.anyOf as { type?: string }[] | undefined)?.some(
    ({ type }) => type === 'null',
  )
  if (!mayBeNull) return []
  const nobody = first.path.replace(/0x[0-9a-f]{40}/, UNUSED_ADDRESS)
  const nothing = path.endsWith('/:coin') ? first.path.replace(/[^/]+$/, 'NOSUCH') : first.path
  const query = 'coin' in (first.query ?? {}) ? { ...first.query, coin: 'NOSUCH' } : first.query
  return [nobody, nothing].map((at) => ({ ...first, path: at, ...(query ? { query } : {}) }))
}

function withFewRows(operation: Operation, request: ProbeRequest): ProbeRequest {
  const limit = parametersOf(operation).find(
    ({ name, place, schema }) => name === 'limit' && place === 'query' && schema.type === 'integer',
  )
  return limit ? { ...request, query: { ...request.query, limit: ROWS } } : request
}

/** What else shows a part of what an operation declares, by its id. */
type Further = (probe: Probe, first: ProbeRequest) => ProbeRequest[] | Promise<ProbeRequest[]>

const bodies =
  (...all: object[]): Further =>
  (_, first) =>
    all.map((body) => ({ ...first, body: { ...(first.body as object), ...body } }))

const queries =
  (...all: Record<string, string>[]): Further =>
  (_, first) =>
    all.map((query) => ({ ...first, query: { ...first.query, ...query } }))

/** All columns, none but one, and what is only loaded when it is asked for. */
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

/** How many pages and articles are looked through. */
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

/** Pages one after the other, each from the last row of the one before. */
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

/** Who may call each operation, and how the others are refused. */
const REFUSED_ANYWAY = 'who signs rightly and may call it is refused as well'

const NOBODY = { accessKey: 'nobody', secretKey: 'nothing' }

/** Requests without a valid signature, and how each is called. */
const UNAUTHENTICATED: Record<string, Partial<ProbeRequest>> = {
  'without a signature': { signedIn: 'nowhere' },
  'with a wrong signature': { tamper: (right) => ({ ...right, Signature: 'bm90IHNpZ25lZA==' }) },
  // Where the clock is held nothing ages but what was signed before it was.
  'with a signature of an hour ago': { ageS: 3600 },
  'with a signature of the next minute': { ageS: -60 },
  'with an unknown key': { signedBy: NOBODY },
}

/** One case for unsigned requests, one for keys without the permission. */
function accessCases(operation: Operation): Case[] {
  const { access, id, profile, servedWhen } = operation
  if (access.kind === 'public' || profile || servedWhen) return []
  const checks = requirementsOf(id, 'access')
  const strangers = Object.entries(UNAUTHENTICATED).map(([how, as]): Case => {
    const place = how.replaceAll(' ', '-')
    return {
      id: `access.${id}.${place}`,
      title: `${id} lets nobody in ${how}`,
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
  return [...strangers, ...forbiddenCases(operation, checks)]
}

/** The key that may not, and the words of its refusal. */
function forbiddenCases(operation: Operation, checks: readonly string[]): Case[] {
  const { access, id } = operation
  if (access.kind === 'signed' || access.kind === 'public') return []
  const who: Need & ('bare' | 'sub') = access.kind === 'permission' ? 'bare' : 'sub'
  const name = access.kind === 'permission' ? access.name : 'DISTRIBUTOR'
  return [
    {
      id: `access.${id}.permission`,
      title: `${id} asks for the permission ${name} by name`,
      checks: [...new Set([...checks, 'auth.permission'])],
      needs: [who],
      async run(probe: Probe) {
        const exchange = await probe.request({
          ...(await firstExampleRequest(probe, operation)),
          signedBy: who,
        })
        const { status, json } = exchange
        assertSame(probe, status, 403, `${id} is refused with 403`)
        const words = `Permission denied: ${name}`
        const told = { expected: words, found: isJsonObject(json) ? json.msg : null }
        probe.assert(namesPermission(exchange, name), `the words are "${words}"`, told)
        if (!(await isServed(probe, operation))) probe.skip(REFUSED_ANYWAY)
      },
    },
  ]
}

const namesPermission = ({ json }: ProbeExchange, name: string): boolean =>
  isJsonObject(json) && [json.msg, json.error, json.message].includes(`Permission denied: ${name}`)

// Each example of each operation: status, content type, envelope and schema of its answer.

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
          // An empty list has every form: others are asked about until there is something.
          for (const request of await exampleRequests(probe, operation, example, TRIES)) {
            judgeAnswer(probe, operation, await probe.request(request))
            if (probe.evidence === 'values') return
          }
          if (probe.evidence === 'refusal')
            probe.skip('the target does not know what the example asks for')
        },
      }))

/** Judges status, content type, envelope and schema of an answer that may refuse what is absent. */
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
