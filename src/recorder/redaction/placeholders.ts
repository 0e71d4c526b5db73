/** What stands for secrets: the same for the same one, so that it can be told who asked. */
import { base64Parts, escaped } from './secret-names.ts'

/** Values that are remembered; each of them is looked for in everything. */
const KNOWN_MAX = 1000

/** Shorter ones stand in other words as well. */
const SEARCHED_LENGTH_MIN = 4
const ANYWHERE_LENGTH_MIN = 8

export class Placeholders {
  private readonly known = new Map<string, string>()
  private pattern: RegExp | null = null
  private readonly shown = new Map<string, string>()

  /** What stands for a secret from now on, wherever it is found. */
  of(secret: string): string {
    const known = this.known.get(secret)
    if (known !== undefined) return known
    if (secret === '' || /^redacted(-\d+)?$/.test(secret)) return secret
    if (this.known.size >= KNOWN_MAX) return 'redacted'
    const placeholder = `redacted-${this.known.size + 1}`
    this.known.set(secret, placeholder)
    this.search(secret, placeholder)
    return placeholder
  }

  /** Whether a secret that is known stands in a text, in any encoding. */
  isIn(text: string): boolean {
    return this.pattern?.test(text) ?? false
  }

  /** A text without the secrets that are known. */
  replacedIn(text: string): string {
    if (this.pattern === null) return text
    const all = new RegExp(this.pattern.source, 'g')
    return text.replaceAll(all, (found) => this.shown.get(found) ?? 'redacted')
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
    const encoded = isLong ? base64Parts(secret) : []
    const sources = [...(this.pattern === null ? [] : [this.pattern.source]), ...plain, ...encoded]
    this.pattern = new RegExp(sources.join('|'))
  }
}
