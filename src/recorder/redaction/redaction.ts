import { PASSING, Placeholders } from './placeholders.ts'
import { SecretNames } from './secret-names.ts'

/** Takes secrets out of what is to be kept, in every encoding; the same one the same way always. */
export class Redaction {
  private readonly names: SecretNames
  private readonly placeholders = new Placeholders()
  private readonly suspicious: RegExp
  private readonly inJson: RegExp
  private readonly inQuery: RegExp
  private readonly inParts: RegExp

  /**
   * @param fields more names of fields whose values are secret
   * @param secrets values that are known to be secret before they are met
   */
  constructor({
    fields = [],
    secrets = [],
  }: { fields?: readonly string[]; secrets?: readonly string[] }) {
    this.names = new SecretNames(fields)
    const { source, core } = this.names
    this.suspicious = new RegExp(`${core}|\\\\u00|%[2-7]`, 'i')
    // The quotes of JSON inside a text of JSON have backslashes: as many before each of them.
    const quoted = `\\1"([^"\\\\]*(?:\\\\.[^"\\\\]*)*?)(?:\\1"|$)`
    const bare = `(\\{[^{}]*(?:\\}|$)|\\[[^[\\]]*(?:\\]|$)|[^\\s",{}\\[\\]]+)`
    // From the first of its backslashes only: each of a long run would be tried otherwise.
    this.inJson = new RegExp(
      `(?<!\\\\)(\\\\*)"(${source})\\1"(\\s*:\\s*)(?:${quoted}|${bare})`,
      'gis',
    )
    const value = `((?:[^&\\s"'<>\\\\#%]+|%(?!26))+)`
    this.inQuery = new RegExp(`(?<![A-Za-z0-9])(${source})(\\]?(?:=|%3D))${value}`, 'gi')
    // A form in parts (RFC 7578): the header lines of a part, and its value.
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
   * @param depth how many encodings have been taken off it
   */
  text(text: string, depth = 0): string {
    const isSuspicious = this.suspicious.test(text)
    if (!isSuspicious && !this.placeholders.isIn(text) && !this.names.isInBase64(text)) return text
    if (depth > DEPTH_MAX) return PASSING
    const named = isSuspicious ? this.withoutNamed(text, depth) : text
    return this.withoutEncoded(this.placeholders.replacedIn(named))
  }

  /** Bytes that are no text: all of them are given up when a secret stands in them. */
  bytes(bytes: Buffer): Buffer {
    const letters = bytes.toString('latin1')
    const cleaned = this.text(letters)
    return cleaned === letters ? bytes : Buffer.from(cleaned, 'latin1')
  }

  /** Whether a field of this name is secret. */
  isSecretName(name: string): boolean {
    return this.names.has(name)
  }

  /** What stands for the value of a header that is a secret. */
  secret(value: string): string {
    // `Bearer …`: the last word is what is said again elsewhere.
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
      .replace(this.inParts, (_, head: string, name: string, value: string) =>
        [head, this.valueOf(name, value)].join(''),
      )
      .replace(PART, (part) => (PERCENT.test(part) ? this.withoutPercentName(part, depth) : part))
  }

  private queryPart(part: string): string {
    const at = part.indexOf('=')
    const name = decoded(at < 0 ? part : part.slice(0, at))
    if (at >= 0 && this.names.has(name))
      return `${part.slice(0, at)}=${this.valueOf(name, decoded(part.slice(at + 1)))}`
    return this.text(part)
  }

  /** A part of a form whose name may have percent signs. */
  private withoutPercentName(part: string, depth: number): string {
    const at = part.indexOf('=')
    const name = decoded(part.slice(part.lastIndexOf('?', at) + 1, Math.max(0, at)))
    if (this.names.has(name))
      return `${part.slice(0, at)}=${this.valueOf(name, decoded(part.slice(at + 1)))}`
    return part.replace(RUN, (run) => (PERCENT.test(run) ? this.withoutPercent(run, depth) : run))
  }

  /** A stretch with percent signs, which may hide a name or a value. */
  private withoutPercent(run: string, depth: number): string {
    const plain = decoded(run)
    if (plain === run) return run
    const cleaned = this.text(plain, depth + 1)
    return cleaned === plain ? run : encodeURIComponent(cleaned)
  }

  /** Names and values in JSON whose letters are written as `\u0053`. */
  private withoutEscapedNames(text: string, depth: number): string {
    return text.replace(ESCAPED_STRING, (literal) => {
      try {
        const plain: string = JSON.parse(literal)
        const cleaned = this.text(plain, depth + 1)
        return this.names.has(plain) || cleaned !== plain ? JSON.stringify(cleaned) : literal
      } catch {
        return literal
      }
    })
  }

  /** Base64 of something in which a secret is named. */
  private withoutEncoded(text: string): string {
    if (!this.names.isInBase64(text)) return text
    return text.replace(BASE64_RUN, (run) => (this.names.isInBase64(run) ? 'redacted' : run))
  }

  private valueOf(name: string, value: string): string {
    return /signature$/i.test(name) ? this.placeholders.pass(value) : this.placeholders.of(value)
  }
}

/** Encodings around each other; what has more of them is given up, as nobody looks into it. */
const DEPTH_MAX = 6

// Patterns of their own, as one for all would begin at each letter of a long run.
const PART = /[^\s&"'<>]+/g
const RUN = /[^=]+/g
const PERCENT = /%[0-7][0-9A-Fa-f]/
const ESCAPED_STRING = /"[^"\\]*(?:\\(?!u00).[^"\\]*)*\\u00[^"\\]*(?:\\.[^"\\]*)*"/gi
const BASE64_RUN = /[A-Za-z0-9+/_-]{8,}={0,2}/g

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The value of a string in JSON that is itself so many times inside another one. */
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
