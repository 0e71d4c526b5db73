/**
 * A text with its comments, and if asked the insides of its strings, turned into spaces of the same
 * length, so that places stay where they are. Code inside `${…}` of a template stays.
 */
export function blank(text: string, what: { strings: boolean }): string {
  const reader = new Reader(text, what.strings)
  reader.code('')
  return reader.out.join('')
}

class Reader {
  readonly out: string[] = []
  private at = 0

  constructor(
    private readonly text: string,
    private readonly strings: boolean,
  ) {}

  /** Reads code up to its end: the end of the text, or the brace that closes a template's `${`. */
  code(end: '' | '}'): void {
    let depth = 0
    while (this.at < this.text.length) {
      const two = this.text.slice(this.at, this.at + 2)
      const one = two.charAt(0)
      if (two === '//') this.hide(this.indexAfter('\n') - 1)
      else if (two === '/*') this.hide(this.indexAfter('*/', 2))
      else if (one === "'" || one === '"') this.quoted(one)
      else if (one === '`') this.template()
      else if (one === '/' && this.opensPattern()) this.pattern()
      else {
        if (one === '}' && end === '}' && depth === 0) return
        if (one === '{') depth += 1
        if (one === '}') depth -= 1
        this.keep()
      }
    }
  }

  private quoted(quote: string): void {
    this.keep()
    while (this.at < this.text.length && this.text[this.at] !== quote) this.inside()
    this.keep()
  }

  private template(): void {
    this.keep()
    while (this.at < this.text.length && this.text[this.at] !== '`') {
      if (this.text.startsWith('${', this.at)) {
        this.keep(2)
        this.code('}')
        this.keep()
      } else this.inside()
    }
    this.keep()
  }

  private pattern(): void {
    this.keep()
    let isClass = false
    while (this.at < this.text.length && this.text[this.at] !== '\n') {
      const letter = this.text[this.at]
      if (letter === '/' && !isClass) break
      if (letter === '[') isClass = true
      if (letter === ']') isClass = false
      this.inside()
    }
    this.keep()
  }

  /** After a value a slash divides, after anything else it opens a regular expression. */
  private opensPattern(): boolean {
    const before = this.out.slice(-200).join('').trimEnd()
    return /(^|[=(,:;!&|?{}[+>~%*-]|\b(return|case|typeof|of|in))$/.test(before)
  }

  /** One letter inside a string (two, when it is escaped). */
  private inside(): void {
    const length = this.text[this.at] === '\\' ? 2 : 1
    if (this.strings) this.hide(this.at + length)
    else this.keep(length)
  }

  private keep(length = 1): void {
    this.out.push(this.text.slice(this.at, this.at + length))
    this.at += length
  }

  private hide(until: number): void {
    this.out.push(this.text.slice(this.at, until).replace(/[^\n]/g, ' '))
    this.at = Math.max(until, this.at + 1)
  }

  private indexAfter(mark: string, from = 0): number {
    const found = this.text.indexOf(mark, this.at + from)
    return found < 0 ? this.text.length + 1 : found + mark.length
  }
}
