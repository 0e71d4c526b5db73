/** What stands for secrets: the same for the same one, so that it can be told who asked. */
import { base64Parts, escaped } from './secret-names.ts'

/** Values that are remembered; each of them is looked for in everything. */
const KNOWN_MAX = 1000

/** Shorter ones stand in other words as well. */
const SEARCHED_LENGTH_MIN = 4
const ANYWHERE_LENGTH_MIN = 8
/** Longer ones are no keys, and no pattern would hold them. */
const SEARCHED_LENGTH_MAX = 8192

/** Letters of a pattern: the runtime takes none of a million, and each new secret builds one. */
const PATTERN_LETTERS_MAX = 10_000

/** What stands for one that is another each time, and how many of these are looked for. */
export const PASSING = 'redacted'
const PASSING_MAX = 4

const REPLACED = /^redacted(-\d+)?$/

export class Placeholders {
  private readonly known = new Map<string, string>()
  private readonly patterns: RegExp[] = []
  private readonly shown = new Map<string, string>()
  /** Forms of the latest of those that are others each time. */
  private passing: string[][] = []

  /** What stands for a secret from now on, wherever it is found. */
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

  /** Looks for one that is another each time, until some others have come. */
  pass(secret: string): string {
    if (secret.length < ANYWHERE_LENGTH_MIN || REPLACED.test(secret)) return PASSING
    // What ends it is padding, which is written in other ways.
    const core = secret.replace(/=+$/, '')
    const plain = [core, encodeURIComponent(core)]
    this.passing = [[...plain, ...base64Parts(core)], ...this.passing]
    this.passing.length = Math.min(this.passing.length, PASSING_MAX)
    return PASSING
  }

  /** Whether a secret that is known stands in a text, in any encoding. */
  isIn(text: string): boolean {
    if (this.patterns.some((pattern) => pattern.test(text))) return true
    return this.passing.some((forms) => forms.some((form) => text.includes(form)))
  }

  /** A text without the secrets that are known. */
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
