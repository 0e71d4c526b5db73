/** JSON as lines, even if truncated: each with the path of its field. */
export interface JsonLine {
  depth: number
  text: string
  /** Path of the field, `[]` for elements: `data.[].coin`. Empty for none. */
  path: string
}

/** Limits the lines of a long response to keep the page responsive. */
const LINES_MAX = 2_000

/** The lines of a text; the text itself where it does not look like JSON. */
export function jsonLines(text: string): JsonLine[] {
  if (!/^\s*[[{]/.test(text)) return [{ depth: 0, text, path: '' }]
  const writer = new LineWriter()
  for (const [token] of text.matchAll(TOKEN)) {
    if (writer.lines.length >= LINES_MAX) break
    writer.take(token)
  }
  return writer.end()
}

/** Texts (also truncated), punctuation, and other tokens. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[[\]{}:,]|[^\s[\]{}:,"]+/g

class LineWriter {
  readonly lines: JsonLine[] = []
  private names: string[] = []
  private line = ''
  private lineDepth = 0
  private linePath = ''
  private name: string | null = null

  take(token: string): void {
    if (token === '{' || token === '[') this.open(token)
    else if (token === '}' || token === ']') this.close(token)
    else if (token === ',') this.endLine(',')
    else if (token === ':') this.line += ': '
    else this.value(token)
  }

  end(): JsonLine[] {
    this.endLine('')
    return this.lines
  }

  private open(token: string): void {
    this.begin()
    this.line += token
    this.endLine('')
    const own = this.name ?? ''
    this.names.push(token === '[' ? [own, '[]'].filter(Boolean).join('.') : own)
    this.name = null
  }

  private close(token: string): void {
    const last = this.lines.at(-1)
    this.endLine('')
    this.names.pop()
    // Empty brackets stay on one line.
    if (this.line === '' && last && /[[{]$/.test(last.text) && last === this.lines.at(-1)) {
      last.text += token
      this.line = ''
      this.lines.pop()
      this.lineDepth = last.depth
      this.linePath = last.path
      this.line = last.text
      return
    }
    this.begin()
    this.line = token
  }

  private value(token: string): void {
    const isName = this.line === '' && token.startsWith('"') && !this.names.at(-1)?.endsWith('[]')
    this.begin()
    this.line += token
    if (!isName) return
    this.name = token.slice(1, -1)
    this.linePath = [...this.names, this.name].filter((part) => part !== '').join('.')
  }

  private begin(): void {
    if (this.line !== '') return
    this.lineDepth = this.names.length
    this.linePath = ''
  }

  private endLine(mark: string): void {
    if (this.line === '') return
    this.lines.push({ depth: this.lineDepth, text: this.line + mark, path: this.linePath })
    this.line = ''
  }
}
