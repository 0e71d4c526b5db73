import { decoded } from '../../../contract/paths.ts'
import { UserError } from '../../../platform/user-error.ts'

/**
 * Secret in an address only: in a body a token is a coin as well, such as USDC, and no operation of
 * the contract has a query parameter of that name.
 */
const IN_ADDRESSES = /^(?:token|jwt)$/i
const ADDRESS_PART = /([?&](?:token|jwt)=)([^&\s"'<>#]+)/gi

/**
 * Removes secrets from recorded data, in every encoding; the same secret always gets the same
 * replacement.
 */
export class Redaction {
  private readonly names: SecretNames
  private readonly placeholders = new Placeholders()
  private readonly suspicious: RegExp
  private readonly inJson: RegExp
  private readonly inQuery: RegExp
  private readonly inParts: RegExp

  /**
   * @param fields additional names of secret fields
   * @param secrets values known to be secret from the start
   */
  constructor({
    fields = [],
    secrets = [],
  }: { fields?: readonly string[]; secrets?: readonly string[] }) {
    this.names = new SecretNames(fields)
    const { source, core } = this.names
    this.suspicious = new RegExp(`${core}|\\\\u00|%[2-7]|[?&](?:token|jwt)=`, 'i')
    // Quotes in nested JSON have backslashes: the same number before each of them.
    const quoted = `\\1"([^"\\\\]*(?:\\\\.[^"\\\\]*)*?)(?:\\1"|$)`
    const bare = `(\\{[^{}]*(?:\\}|$)|\\[[^[\\]]*(?:\\]|$)|[^\\s",{}\\[\\]]+)`
    // From the first of its backslashes only, which keeps long runs linear.
    this.inJson = new RegExp(
      `(?<!\\\\)(\\\\*)"(${source})\\1"(\\s*:\\s*)(?:${quoted}|${bare})`,
      'gis',
    )
    const value = `((?:[^&\\s"'<>\\\\#%]+|%(?!26))+)`
    this.inQuery = new RegExp(`(?<![A-Za-z0-9])(${source})(\\]?(?:=|%3D))${value}`, 'gi')
    // A multipart form (RFC 7578): the header lines of a part, and its value.
    const lines = '[^\\r\\n]*\\r\\n(?:[^\\r\\n]+\\r\\n)*\\r\\n'
    this.inParts = new RegExp(`(name="(${source})"${lines})([^\\r\\n]+)`, 'gi')
    for (const secret of secrets) this.placeholders.of(secret)
  }

  /** A path with its query: parts without a secret stay byte for byte. */
  url(target: string): string {
    const at = target.indexOf('?')
    if (at < 0) return this.text(target)
    const parts = target.slice(at + 1).split('&')
    const query = parts.map((part) => this.queryPart(part)).join('&')
    return `${this.text(target.slice(0, at))}?${query}`
  }

  /**
   * A body, a message or any other text.
   * @param depth number of decoded encodings
   */
  text(text: string, depth = 0): string {
    const isSuspicious = this.suspicious.test(text)
    if (!isSuspicious && !this.placeholders.isIn(text) && !this.names.isInBase64(text)) return text
    if (depth > DEPTH_MAX) return PASSING
    const named = isSuspicious ? this.withoutNamed(text, depth) : text
    return this.withoutEncoded(this.placeholders.replacedIn(named))
  }

  /** Bytes that are no text: all of them are dropped when they contain a secret. */
  bytes(bytes: Buffer): Buffer {
    const letters = bytes.toString('latin1')
    const cleaned = this.text(letters)
    return cleaned === letters ? bytes : Buffer.from(cleaned, 'latin1')
  }

  /** Whether the name of a field is secret. */
  isSecretName(name: string): boolean {
    return this.names.has(name)
  }

  /** Replacement of a secret header value. */
  secret(value: string): string {
    // `Bearer …`: the last word is the secret that may recur.
    const [, token = value] = /^\S+\s+(\S+)$/.exec(value) ?? []
    return this.placeholders.of(token)
  }

  private withoutNamed(text: string, depth: number): string {
    const plain = /\\u00/i.test(text) ? this.withoutEscapedNames(text, depth) : text
    return plain
      .replace(this.inJson, (whole, slashes: string, name: string, colon: string, text, bare) => {
        if (bare === 'null') return whole
        const shown = this.valueOf(name, bare ?? unescaped(text, slashes))
        const quote = `${slashes}"`
        return [quote, name, quote, colon, quote, shown, quote].join('')
      })
      .replace(this.inQuery, (_, name: string, equals: string, value: string) =>
        [name, equals, this.valueOf(name, decoded(value))].join(''),
      )
      .replace(ADDRESS_PART, (_, head: string, value: string) =>
        [head, this.placeholders.of(decoded(value))].join(''),
      )
      .replace(this.inParts, (_, head: string, name: string, value: string) =>
        [head, this.valueOf(name, value)].join(''),
      )
      .replace(PART, (part) => (PERCENT.test(part) ? this.withoutPercentName(part, depth) : part))
  }

  private queryPart(part: string): string {
    const at = part.indexOf('=')
    const name = decoded(at < 0 ? part : part.slice(0, at))
    if (at >= 0 && (this.names.has(name) || IN_ADDRESSES.test(name)))
      return `${part.slice(0, at)}=${this.valueOf(name, decoded(part.slice(at + 1)))}`
    return this.text(part)
  }

  /** A part of a form whose name may be percent-encoded. */
  private withoutPercentName(part: string, depth: number): string {
    const at = part.indexOf('=')
    const name = decoded(part.slice(part.lastIndexOf('?', at) + 1, Math.max(0, at)))
    if (this.names.has(name))
      return `${part.slice(0, at)}=${this.valueOf(name, decoded(part.slice(at + 1)))}`
    return part.replace(RUN, (run) => (PERCENT.test(run) ? this.withoutPercent(run, depth) : run))
  }

  /** A run with percent signs, which may hide a name or a value. */
  private withoutPercent(run: string, depth: number): string {
    const plain = decoded(run)
    if (plain === run) return run
    const cleaned = this.text(plain, depth + 1)
    return cleaned === plain ? run : encodeURIComponent(cleaned)
  }

  /** Names and values in JSON with characters escaped like `\u0053`. */
  private withoutEscapedNames(text: string, depth: number): string {
    return replacedEscapedStrings(text, (literal) => {
      try {
        const plain: string = JSON.parse(literal)
        const cleaned = this.text(plain, depth + 1)
        return this.names.has(plain) || cleaned !== plain ? JSON.stringify(cleaned) : literal
      } catch {
        return literal
      }
    })
  }

  /** Base64 of a text that names a secret. */
  private withoutEncoded(text: string): string {
    if (!this.names.isInBase64(text)) return text
    return text.replace(BASE64_RUN, (run) => (this.names.isInBase64(run) ? 'redacted' : run))
  }

  private valueOf(name: string, value: string): string {
    return /signature$/i.test(name) ? this.placeholders.pass(value) : this.placeholders.of(value)
  }
}

/** Maximum nesting of encodings; deeper contents are dropped unread. */
const DEPTH_MAX = 6

// Separate patterns: a combined one would start at each character of a long run.
const PART = /[^\s&"'<>]+/g
const RUN = /[^=]+/g
const PERCENT = /%[0-7][0-9A-Fa-f]/
const BASE64_RUN = /[A-Za-z0-9+/_-]{8,}={0,2}/g

/**
 * Replaces the JSON strings in a text that have a character like `\u0053`, in one pass: a regular
 * expression would begin anew at each quote of a string that never ends, and give up.
 */
function replacedEscapedStrings(text: string, replaced: (literal: string) => string): string {
  if (!/\\u00/i.test(text)) return text
  const parts: string[] = []
  let [done, start, isEscaped] = [0, -1, false]
  for (const { 0: mark, index } of text.matchAll(ESCAPE_OR_QUOTE)) {
    if (mark !== '"') {
      // A text may begin inside a string: then its first quote is an escaped one.
      if (mark === '\\"' && start === -1) start = index + 1
      else if (start !== -1 && /^.u00/i.test(mark)) isEscaped = true
      continue
    }
    if (isEscaped) {
      parts.push(text.slice(done, start), replaced(text.slice(start, index + 1)))
      done = index + 1
    }
    start = isEscaped ? -1 : index
    isEscaped = false
  }
  return parts.join('') + text.slice(done)
}

const ESCAPE_OR_QUOTE = /\\u00|\\.|"/gis

/** The value of a JSON string nested so many times in another one. */
function unescaped(inside: string, slashes: string): string {
  let value = inside
  for (let depth = Math.log2(slashes.length + 1) + 1; depth >= 1; depth--)
    try {
      value = JSON.parse(`"${value}"`)
    } catch {
      return inside
    }
  return value
}

// Replacements of secrets: the same for the same one, so that accounts stay distinguishable.

/** Number of remembered values; each is searched for in everything. */
const KNOWN_MAX = 1000

/** Shorter ones also occur in other words. */
const SEARCHED_LENGTH_MIN = 4
const ANYWHERE_LENGTH_MIN = 8
/** Longer ones are no keys, and no pattern would hold them. */
const SEARCHED_LENGTH_MAX = 8192

/** Characters of a pattern: the runtime rejects a million, and each new secret builds one. */
const PATTERN_LETTERS_MAX = 10_000

/** Replacement of one-time secrets, and the number of these that are searched for. */
const PASSING = 'redacted'
const PASSING_MAX = 4

const REPLACED = /^redacted(-\d+)?$/

class Placeholders {
  private readonly known = new Map<string, string>()
  private readonly patterns: RegExp[] = []
  private readonly shown = new Map<string, string>()
  /** Forms of the latest one-time secrets. */
  private passing: string[][] = []

  /** Registers a secret; returns its replacement. */
  of(secret: string): string {
    const known = this.known.get(secret)
    if (known !== undefined) return known
    if (secret === '' || REPLACED.test(secret)) return secret
    if (this.known.size >= KNOWN_MAX) return PASSING
    const placeholder = `redacted-${this.known.size + 1}`
    this.known.set(secret, placeholder)
    this.search(secret, placeholder)
    return placeholder
  }

  /** Searches for a one-time secret, until some others have been registered. */
  pass(secret: string): string {
    if (secret.length < ANYWHERE_LENGTH_MIN || REPLACED.test(secret)) return PASSING
    // Padding may be written in other ways.
    const core = secret.replace(/=+$/, '')
    const plain = [core, encodeURIComponent(core)]
    this.passing = [[...plain, ...base64Parts(core)], ...this.passing]
    this.passing.length = Math.min(this.passing.length, PASSING_MAX)
    return PASSING
  }

  /** Whether a text contains a known secret, in any encoding. */
  isIn(text: string): boolean {
    if (this.patterns.some((pattern) => pattern.test(text))) return true
    return this.passing.some((forms) => forms.some((form) => text.includes(form)))
  }

  /** A text with known secrets replaced. */
  replacedIn(text: string): string {
    let cleaned = text
    for (const forms of this.passing)
      for (const form of forms) cleaned = cleaned.replaceAll(form, PASSING)
    for (const { source } of this.patterns)
      cleaned = cleaned.replaceAll(
        new RegExp(source, 'g'),
        (found) => this.shown.get(found) ?? PASSING,
      )
    return cleaned
  }

  private search(secret: string, placeholder: string): void {
    if (secret.length < SEARCHED_LENGTH_MIN || secret.length > SEARCHED_LENGTH_MAX) return
    const isLong = secret.length >= ANYWHERE_LENGTH_MIN
    const texts = new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    texts.add(JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'))
    for (const text of texts) this.shown.set(text, placeholder)
    const plain = [...texts].map((text) =>
      isLong ? escaped(text) : `(?<![A-Za-z0-9_-])${escaped(text)}(?![A-Za-z0-9_-])`,
    )
    const encoded = isLong ? base64Parts(secret).map(escaped) : []
    const added = [...plain, ...new Set(encoded)].join('|')
    const last = this.patterns.at(-1)?.source
    if (last === undefined || last.length + added.length > PATTERN_LETTERS_MAX)
      this.patterns.push(new RegExp(added))
    else this.patterns[this.patterns.length - 1] = new RegExp(`${last}|${added}`)
  }
}

// Names of secrets, in all common spellings.

/** Each name includes all its spellings: `secret_key`, `SecretKey`, `secretKey`. */
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

/** Names of secret fields: the usual ones and the user's. */
class SecretNames {
  /** Matches each name, as the source of a case-insensitive regular expression. */
  readonly source: string
  /** Quick test of a text for any name: without optional prefixes. */
  readonly core: string
  private readonly whole: RegExp
  private readonly encoded: RegExp

  constructor(more: readonly string[]) {
    const words = [...NAMES, ...more.map(wordsOf)]
    this.core = words.map((name) => name.map(escaped).join('[-_]?')).join('|')
    // Custom headers of services have such names: `X-Auth-Token`.
    this.source = `(?:x[-_])?(?:${this.core})`
    this.whole = new RegExp(`^(?:${this.source})$`, 'i')
    this.encoded = new RegExp(
      words
        .flatMap(spellings)
        .flatMap((name) => base64Parts(name).map(escaped))
        .join('|'),
    )
  }

  /** Whether a field name is secret, including nested ones: `login[secretKey]`. */
  has(name: string): boolean {
    const end = name.endsWith(']') ? name.length - 1 : name.length
    const from = 1 + Math.max(name.lastIndexOf('[', end - 1), name.lastIndexOf('.', end - 1))
    return this.whole.test(name.slice(from, end))
  }

  /** Whether a text seems to contain Base64 of one of the names. */
  isInBase64(text: string): boolean {
    return this.encoded.test(text)
  }
}

/** Base64 of a text at each alignment, without the characters that depend on its neighbours. */
function base64Parts(text: string): string[] {
  const bytes = Buffer.from(text)
  return [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
    const from = Math.ceil((shift * 8) / 6)
    const part = encoded.slice(from, Math.floor(((shift + bytes.length) * 8) / 6))
    return part.length < 6 ? [] : [part, part.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

/** A text as the source of a regular expression. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

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
