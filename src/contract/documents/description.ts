/** Markdown prose of an operation or a channel. */
import type { Access } from '../access.ts'
import type { Channel, Source } from '../channel.ts'
import { PREFIXES } from '../prefixes.ts'
import type { Question } from '../questions/question.ts'
import { QUESTIONS } from '../questions.ts'
import { type Credentials, VALID_MS } from '../signature.ts'

const EXPIRY: Record<Source, string> = {
  book: 'with `stale: true` once the book of the coin has expired',
  coin: 'with `stale: true` once there has been no event of the coin for as long',
  market: 'with `stale: true` once there has been no event at all for as long',
}

/** A channel whose description includes its push policy. */
export function withPushPolicy(channel: Channel): Channel {
  const { minGapMs, stateOf } = channel.pushPolicy
  const about = [
    channel.about,
    minGapMs === undefined ? undefined : `Two pushes are at least ${minGapMs} ms apart.`,
    stateOf && `A silent channel sends its last snapshot again, ${EXPIRY[stateOf]}.`,
  ]
  return { ...channel, about: about.filter((part) => part).join(' ') }
}

/** Descriptions of the groups of operations. */
const GROUPS: Readonly<Record<string, string>> = {
  coin: 'Coins: the list, their figures over all exchanges, and their profiles.',
  content: 'News, flashes, listing announcements and AI insights, in several languages.',
  distributor: 'Sub keys of a distributor: levels, quotas and registration by invite.',
  futures: 'Futures over several exchanges: depth, interest, funding and liquidations.',
  index: 'Market indices: the list, their prices and their components.',
  indicator: 'Candles and technical indicators of a pair.',
  mix: 'Market-wide figures: funds, treasuries, liquidations and long/short ratios.',
  perpdex: 'The perpetual venue: traders, fills, orders, positions, whales and liquidations.',
  signal: 'Alerts of a key, signals of strategies and of changes.',
  stock: 'Stocks of crypto companies: quotes, profiles and gainers.',
}

/** The group of an operation, by its id. */
export const groupOf = ({ id }: { id: string }): string => id.split('.')[0] ?? id

/** A group as a tag of a document. */
export const groupTag = (name: string) => ({ name, description: GROUPS[name] ?? `Group ${name}.` })

/** The parts of a declaration that its prose is made of. */
interface Described {
  about?: string
  source: string
  access: Access
  assumed: readonly string[]
  /** Further paths of an operation. */
  aliases?: readonly string[]
}

/** Paragraphs: description, access, other paths, source, assumptions. */
export function description(declaration: Described): string {
  return [
    declaration.about,
    accessText(declaration.access),
    declaration.aliases?.length
      ? `Also under ${declaration.aliases.map(code).join(', ')}.`
      : undefined,
    `Contract: ${declaration.source}.`,
    assumptions(declaration.assumed),
  ]
    .filter((part) => part)
    .join('\n\n')
}

/** The access in a sentence. */
export function accessText(access: Access): string {
  switch (access.kind) {
    case 'public':
      return 'Public: no signature.'
    case 'signed':
      return 'Any valid signature.'
    case 'distributor':
      return "A distributor's primary key."
    case 'permission':
      return `Permission ${code(access.name)}.`
  }
}

const code = (text: string): string => `\`${text}\``

// Assumptions as text: a plain sentence, or an open question with its answers.

/** Markdown of a declaration's assumptions; empty for none. */
function assumptions(assumed: readonly string[]): string {
  if (assumed.length === 0) return ''
  return ['Assumed here:', '', ...assumed.map((one) => `- ${inWords(one)}`)].join('\n')
}

function inWords(assumed: string): string {
  const question = (QUESTIONS as Record<string, Question>)[assumed]
  if (!question) return assumed
  const others = Object.entries(question.answers).filter(([id]) => id !== question.chosen)
  const switches = others.map(([id, means]) => `\`${id}\`: ${means}`).join(' ')
  const answer = question.answers[question.chosen] ?? ''
  return `${question.question} ${answer} (question \`${assumed}\`; else ${switches})`
}

// The conventions of all operations and channels, as text.

/**
 * The four signature parameters with descriptions (the service's documentation, Authentication 1 to
 * 3).
 */
export const SIGNATURE: Record<keyof Credentials, string> = {
  AccessKeyId: 'the access key',
  SignatureNonce: 'random text',
  Timestamp: `seconds since 1970; valid for ${VALID_MS / 1000} s`,
  Signature:
    'HMAC-SHA1 of `AccessKeyId=…&SignatureNonce=…&Timestamp=…` with the secret key, ' +
    'as lower-case hexadecimal text, that text in Base64',
}

/** Markdown. */
export const INTRODUCTION = [
  'The API as served by Tapewright. Prices, sizes and money are decimal numbers as text.',
  'Every request except the public ones has four signature parameters in its query string; in a ' +
    'POST or PUT they may be in the JSON body instead. Business parameters are not signed. ' +
    'The signature is checked first, then the permission, then the parameters.',
  `The same operations answer under the older prefixes ${PREFIXES.slice(1)
    .map((prefix) => `\`${prefix}\``)
    .join(' and ')}.`,
].join('\n\n')

/** Markdown: what our keywords of schemas mean, which the documents have. */
export const KEYWORDS =
  'Our keywords in schemas: `x-time` is an instant and its unit (`ms`, `s`, `iso`, `text`, ' +
  '`msDigits` and `sDigits` for numbers written as text), ' +
  '`x-cut` is the maximum; the rest is silently cut. `x-list` is the separator of a list ' +
  'in a text, `x-repeat` marks a name that may be repeated, ' +
  '`x-span` is the smallest and the largest time span, ' +
  '`x-form` is the form of a text, ' +
  '`x-alias` are other spellings of a name. `x-meaning` says what a parameter is: a coin, an ' +
  'address, a symbol, an instant that bounds nothing, the start, the end or the length of ' +
  'a time range, the interval of a row, or how many rows; `x-length` is what a length is ' +
  'written in, ' +
  '`x-usual` the open question that decides its default, `x-each` the interval of ' +
  'rows that have no parameter for it; `x-cast` is where the list of `cast` has values of it.'
