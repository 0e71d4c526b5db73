/**
 * Conditions on what happens, such as `coin == BTC and px > 62000`.
 *
 * Names stand for fields of a happening; texts are compared as they are, numbers as numbers. `and`
 * binds closer than `or`; parentheses may be used. A field that a happening lacks fits nothing.
 */
import { Complaint } from '../complaint.ts'

export type Fields = Readonly<Record<string, string | number>>
export type Condition = (fields: Fields) => boolean

/** Reads a condition; a Complaint says where it cannot be read. */
export function readCondition(text: string): Condition {
  const reader = new Reader(text)
  const condition = reader.either()
  reader.end()
  return condition
}

const TOKEN = /\s*(?:(==|!=|<=|>=|<|>|\(|\))|"([^"]*)"|([^\s()=<>!"]+))/y
const SIGNS = ['==', '!=', '<', '<=', '>', '>='] as const
type Sign = (typeof SIGNS)[number]

class Reader {
  private readonly tokens: { text: string; quoted: boolean; at: number }[] = []
  private next = 0

  constructor(private readonly text: string) {
    TOKEN.lastIndex = 0
    while (text.slice(TOKEN.lastIndex).trim() !== '') {
      const from = TOKEN.lastIndex
      const found = TOKEN.exec(text)
      if (!found) throw this.complaint('this cannot be read', from)
      const [, sign, quoted, word] = found
      const token = sign ?? quoted ?? word ?? ''
      this.tokens.push({ text: token, quoted: quoted !== undefined, at: from })
    }
  }

  either(): Condition {
    const parts = [this.both()]
    while (this.takes('or')) parts.push(this.both())
    return (fields) => parts.some((part) => part(fields))
  }

  end(): void {
    const left = this.tokens[this.next]
    if (left) throw this.complaint(`"${left.text}" is one too many`, left.at)
  }

  private both(): Condition {
    const parts = [this.one()]
    while (this.takes('and')) parts.push(this.one())
    return (fields) => parts.every((part) => part(fields))
  }

  private one(): Condition {
    if (!this.takes('(')) return this.comparison()
    const inner = this.either()
    if (!this.takes(')')) throw this.complaint('a ")" is missing', this.place())
    return inner
  }

  private comparison(): Condition {
    const name = this.word('the name of a field')
    const sign = this.word(`one of ${SIGNS.join(' ')}`) as Sign
    if (!SIGNS.includes(sign))
      throw this.complaint(`"${sign}" stands where one of ${SIGNS.join(' ')} must`, this.place(-1))
    const value = this.word('a value')
    return (fields) => compare(fields[name], sign, value)
  }

  private word(what: string): string {
    const token = this.tokens[this.next++]
    if (!token) throw this.complaint(`${what} is missing`, this.text.length)
    return token.text
  }

  private takes(text: string): boolean {
    const token = this.tokens[this.next]
    if (!token || token.quoted || token.text !== text) return false
    this.next++
    return true
  }

  private place(by = 0): number {
    return this.tokens[this.next + by]?.at ?? this.text.length
  }

  private complaint(words: string, at: number): Complaint {
    return new Complaint(`condition "${this.text}": ${words}, at letter ${at + 1}`)
  }
}

function compare(field: string | number | undefined, sign: Sign, value: string): boolean {
  if (field === undefined) return false
  const [a, b] = [Number(field), Number(value)]
  const numeric = !Number.isNaN(a) && !Number.isNaN(b) && value.trim() !== ''
  if (sign === '==') return numeric ? a === b : String(field) === value
  if (sign === '!=') return numeric ? a !== b : String(field) !== value
  if (!numeric) return false
  return sign === '<' ? a < b : sign === '<=' ? a <= b : sign === '>' ? a > b : a >= b
}
