/** What secrets are called, in every way of writing that is usual. */
import { UserError } from '../../user-error.ts'

/** Of each name, every way to write it is meant: `secret_key`, `SecretKey`, `secretKey`. */
const NAMES = [
  ['access', 'key', 'id'],
  ['access', 'key'],
  ['secret', 'key'],
  ['secret'],
  ['signature'],
  ['api', 'key'],
  ['api', 'secret'],
  ['client', 'secret'],
  ['access', 'token'],
  ['refresh', 'token'],
  ['auth', 'token'],
  ['id', 'token'],
  ['invite', 'token'],
  ['session', 'token'],
  ['control', 'token'],
  ['private', 'key'],
  ['pass', 'phrase'],
  ['password'],
  ['passwd'],
  ['authorization'],
  ['cookie'],
]

/** Names of fields whose values are secret: the usual ones and those that a user has named. */
export class SecretNames {
  /** Matches each name, as the source of a regular expression without regard to case. */
  readonly source: string
  /** Matches what a text has that has one of them: without what may stand before a name. */
  readonly core: string
  private readonly whole: RegExp
  private readonly encoded: RegExp

  constructor(more: readonly string[]) {
    const words = [...NAMES, ...more.map(wordsOf)]
    this.core = words.map((name) => name.map(escaped).join('[-_]?')).join('|')
    // As headers that a service has of its own are called: `X-Auth-Token`.
    this.source = `(?:x[-_])?(?:${this.core})`
    this.whole = new RegExp(`^(?:${this.source})$`, 'i')
    this.encoded = new RegExp(
      words
        .flatMap(spellings)
        .flatMap((name) => base64Parts(name).map(escaped))
        .join('|'),
    )
  }

  /** Whether a field of this name is secret, also within others: `login[secretKey]`. */
  has(name: string): boolean {
    const end = name.endsWith(']') ? name.length - 1 : name.length
    const from = 1 + Math.max(name.lastIndexOf('[', end - 1), name.lastIndexOf('.', end - 1))
    return this.whole.test(name.slice(from, end))
  }

  /** Whether Base64 of one of the names seems to stand in a text. */
  isInBase64(text: string): boolean {
    return this.encoded.test(text)
  }
}

/** What Base64 makes of a text wherever that begins, without what its neighbours change. */
export function base64Parts(text: string): string[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
    const from = Math.ceil((shift * 8) / 6)
    const part = encoded.slice(from, Math.floor(((shift + bytes.length) * 8) / 6))
    return part.length < 6 ? [] : [part, part.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** A text as the source of a regular expression. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

function wordsOf(name: string): string[] {
  const parted = name.replace(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()
  const words = parted.split(/[-_]+/).filter(Boolean)
  if (words.length === 0) throw new UserError(`--redact must name a field, not "${name}"`)
  return words
}

function spellings(words: readonly string[]): string[] {
  const pascal = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1)
  const spelled = [words.join('_'), words.join('-'), words.join(''), camel, pascal]
  return [...new Set([...spelled, words.join('_').toUpperCase()])]
}
