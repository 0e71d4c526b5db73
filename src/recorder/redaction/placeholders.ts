/** What stands for secrets: the same for the same one, so that it can be told who asked. */
import { base64Parts, escaped } from './secret-names.ts'

/** Values that are remembered; each of them is looked for in everything. */
const KNOWN_MAX = 1000

/** Shorter ones stand in other words as well. */
const SEARCHED_LENGTH_MIN = 4
const ANYWHERE_LENGTH_MIN = 8

/** What stands for one that is another each time, and how many of these are looked for. */
const [PASSING, PASSING_MAX] = ['redacted', 4]

const REPLACED = /^redacted(-\d+)?$/

export class Placeholders {
  private readonly known = new Map<string, string>()
  private pattern: RegExp | null = null
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
    if (this.pattern?.test(text)) return true
    return this.passing.some((forms) => forms.some((form) => text.includes(form)))
  }

  /** A text without the secrets that are known. */
  replacedIn(text: string): string {
    let cleaned = text
    for (const forms of this.passing)
      for (const form of forms) cleaned = cleaned.replaceAll(form, PASSING)
    if (this.pattern === null) return cleaned
    const all = new RegExp(this.pattern.source, 'g')
    return cleaned.replaceAll(all, (found) => this.shown.get(found) ?? PASSING)
  }

  private search(secret: string, placeholder: string): void {
    if (secret.length < SEARCHED_LENGTH_MIN) return
    const isLong = secret.length >= ANYWHERE_LENGTH_MIN
    const texts = new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    texts.add(JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'))
    for (const text of texts) this.shown.set(text, placeholder)
    const plain = [...texts].map((text) =>
      isLong ? escaped(text) : `(?<![A-Za-z0-9_-])${escaped(text)}(?![A-Za-z0-9_-])`,
    )
    const encoded = isLong ? base64Parts(secret).map(escaped) : []
    const sources = [...(this.pattern === null ? [] : [this.pattern.source]), ...plain, ...encoded]
    this.pattern = new RegExp(sources.join('|'))
  }
}
