import type { Sample } from '../sample.ts'
import { fieldNames, pathOf, valueAt } from './field-access.ts'
import { OPEN } from './mapping.ts'

/** Whether the buyer was the maker: the taker sold, then. */
const MAKER = /maker|^m$/

/** How the columns of a field are mostly called; of several that fit, the first pattern's. */
const NAMES: Record<string, readonly RegExp[]> = {
  time: [/^(?:time|timestamp|ts|date|datetime)$/, /time|stamp|date|^when|^rec[ev]/, /^[te]$/],
  coin: [/^(?:coin|symbol|instrument|market|pair|ticker)$/, /coin|sym|instr|pair/, /^s$/],
  px: [/^(?:px|price)$/, /price|px/, /^p$/],
  sz: [/^(?:sz|size|qty|quantity|amount)$/, /size|qty|quantity|amount|vol/, /^[qv]$/],
  side: [/^(?:side|taker_side)$/, /side|direction|^taker$/, MAKER],
  tid: [/^(?:tid|trade_?id|id)$/, /trade_?id/],
  mark: [/mark/],
  oracle: [/oracle|index/],
  rate: [/funding_?rate|^funding$|^rate$/],
  openInterest: [/open_?interest|^oi$/],
  snapshot: [/snapshot/],
  bidPx: [/^(?:best_?)?bid_?(?:px|price)?$/, /bid.*(?:px|price)|(?:px|price).*bid/],
  bidSz: [/bid.*(?:sz|size|qty|quantity|amount|vol)|(?:sz|size|qty|quantity|amount|vol).*bid/],
  askPx: [/^(?:best_?)?ask_?(?:px|price)?$/, /ask.*(?:px|price)|(?:px|price).*ask/],
  askSz: [/ask.*(?:sz|size|qty|quantity|amount|vol)|(?:sz|size|qty|quantity|amount|vol).*ask/],
}

/**
 * A mapping to begin with: YAML, for a file of an unknown form. What its names suggest is filled
 * in; what nothing fits is `???`, to be completed or taken out.
 */
export function suggestedMapping(sample: Sample): string {
  const names = fieldNames(sample)
  const lines = recordLines(names, (name) => isListIn(sample, name))
  return [
    `# What is in ${sample.base}; docs/importing.md says what can stand here.`,
    `# Its ${sample.container === 'table' ? 'columns' : 'fields'}: ${names.join(', ') || 'none'}`,
    'records:',
    ...lines.map((line, at) => (at === 0 ? `  - ${line}` : `    ${line}`)),
    '',
  ].join('\n')
}

/** Whether a field is a list; no column of a table is. */
const isListIn = ({ container, record }: Sample, name: string): boolean =>
  container !== 'table' && Array.isArray(valueAt(record, pathOf(name)))

function recordLines(names: readonly string[], isList: (name: string) => boolean): string[] {
  const [bids, asks] = [sideOf(names, 'bid', isList), sideOf(names, 'ask', isList)]
  const line = (field: string, found = nameFor(field, names)) =>
    `${field}: ${found === undefined ? `'${OPEN}' # ${ABOUT[field]}` : quoted(found)}`
  const optional = (field: string) => (nameFor(field, names) ? [line(field)] : [])
  const coin = nameFor('coin', names)
  const head = (kind: string) => [
    `kind: ${kind} # ${KINDS}`,
    coin === undefined ? `coinName: '${OPEN}' # such as BTC` : line('coin'),
    `${line('time')}${nameFor('time', names) ? ' # add timeUnit: s, ms, us, ns or iso' : ''}`,
  ]
  if (bids && asks) return [...head('book'), `bids: ${bids}`, `asks: ${asks}`]
  const isBest = ['bidPx', 'askPx'].every((field) => nameFor(field, names))
  if (isBest && !nameFor('side', names))
    return [...head('bbo'), ...['bidPx', 'bidSz', 'askPx', 'askSz'].map((field) => line(field))]
  const marks = ['mark', 'oracle'].every((field) => nameFor(field, names))
  if (marks && !nameFor('side', names)) return [...head('mark'), line('mark'), line('oracle')]
  if (nameFor('rate', names) && !nameFor('side', names)) return [...head('funding'), line('rate')]
  const kind = nameFor('snapshot', names) ? 'level' : 'trade'
  return [
    ...head(kind),
    ...['px', 'sz', 'side'].map((field) => line(field)),
    ...(MAKER.test(nameFor('side', names) ?? '') ? ['buy: [false]', 'sell: [true]'] : []),
    ...optional(kind === 'trade' ? 'tid' : 'snapshot'),
    '# szUnit: contract, with contract: 0.001 or 100usd, where sizes are no coins',
  ]
}

const KINDS = 'trade, book, delta, level, bbo, mark, funding, interest or liquidation'

const ABOUT: Record<string, string> = {
  time: 'the column of the time',
  px: 'the column of the price',
  sz: 'the column of the size',
  side: 'the column of the side of who took; without one a higher price was bought',
  bidSz: 'the column of the size of the best bid',
  askSz: 'the column of the size of the best ask',
}

function nameFor(field: string, names: readonly string[]): string | undefined {
  for (const pattern of NAMES[field] ?? []) {
    const found = names.find((name) => pattern.test(lastPart(name)))
    if (found !== undefined) return found
  }
  return undefined
}

const lastPart = (name: string): string => (name.split('.').at(-1) ?? name).toLowerCase()

const PRICE = /price|px|p(?=\d|_|$)/i
const SIZE = /size|sz|qty|amount|vol|[qv](?=\d|_|$)/i

/** `bid_px_0`, `bids[0].price` and `bid0_sz` are columns of levels; `bids` may be a list. */
function sideOf(
  names: readonly string[],
  side: 'bid' | 'ask',
  isList: (name: string) => boolean,
): string | null {
  const numbered = names.filter((name) => name.toLowerCase().includes(side) && /\d/.test(name))
  const [px, sz] = [PRICE, SIZE].map((pattern) =>
    numbered.find((name) => pattern.test(name.replace(/bids?|asks?/i, ''))),
  )
  if (px && sz) return `{px: ${quoted(leveled(px))}, sz: ${quoted(leveled(sz))}}`
  const list = names.find((name) => [side, `${side}s`].includes(lastPart(name)) && isList(name))
  return list === undefined ? null : `{list: ${quoted(list)}, px: 0, sz: 1}`
}

const leveled = (name: string): string => name.replace(/\d+/, '{n}')

/** Names that YAML could take for something else are quoted. */
const quoted = (name: string): string =>
  /^[A-Za-z_][\w.]*$/.test(name) && !/^(?:y|n|yes|no|on|off|true|false|null)$/i.test(name)
    ? name
    : JSON.stringify(name)
