/**
 * Conditions on events, such as `coin == BTC and px > 62000`.
 *
 * Names are fields of an event; texts are compared as they are, numbers as numbers. `and` binds
 * closer than `or`; parentheses may be used. A field that an event lacks matches nothing.
 */
import { UserError } from '../user-error.ts'

export type EventFields = Readonly<Record<string, string | number>>
export type EventCondition = (fields: EventFields) => boolean

/** Parses a condition; a UserError says where it cannot be parsed. */
export function parseEventCondition(text: string): EventCondition {
  const reader = new ConditionParser(text)
  const condition = reader.parseOr()
  reader.expectEnd()
  return condition
}

const TOKEN = /\s*(?:(==|!=|<=|>=|<|>|\(|\))|"([^"]*)"|([^\s()=<>!"]+))/y
const OPERATORS = ['==', '!=', '<', '<=', '>', '>='] as const
type Operator = (typeof OPERATORS)[number]

class ConditionParser {
  private readonly tokens: { text: string; quoted: boolean; at: number }[] = []
  private next = 0

  constructor(private readonly text: string) {
    TOKEN.lastIndex = 0
    while (text.slice(TOKEN.lastIndex).trim() !== '') {
      const from = TOKEN.lastIndex
      const found = TOKEN.exec(text)
      if (!found) throw this.errorAt('this cannot be read', from)
      const [, operator, quoted, word] = found
      const token = operator ?? quoted ?? word ?? ''
      this.tokens.push({ text: token, quoted: quoted !== undefined, at: from })
    }
  }

  parseOr(): EventCondition {
    const parts = [this.parseAnd()]
    while (this.accept('or')) parts.push(this.parseAnd())
    return (fields) => parts.some((part) => part(fields))
  }

  expectEnd(): void {
    const left = this.tokens[this.next]
    if (left) throw this.errorAt(`"${left.text}" is one too many`, left.at)
  }

  private parseAnd(): EventCondition {
    const parts = [this.parseTerm()]
    while (this.accept('and')) parts.push(this.parseTerm())
    return (fields) => parts.every((part) => part(fields))
  }

  private parseTerm(): EventCondition {
    if (!this.accept('(')) return this.parseComparison()
    const inner = this.parseOr()
    if (!this.accept(')')) throw this.errorAt('a ")" is missing', this.offset())
    return inner
  }

  private parseComparison(): EventCondition {
    const name = this.expectWord('the name of a field')
    const operator = this.expectWord(`one of ${OPERATORS.join(' ')}`) as Operator
    if (!OPERATORS.includes(operator))
      throw this.errorAt(
        `"${operator}" is no operator, use one of ${OPERATORS.join(' ')}`,
        this.offset(-1),
      )
    const value = this.expectWord('a value')
    return (fields) => compare(fields[name], operator, value)
  }

  private expectWord(what: string): string {
    const token = this.tokens[this.next++]
    if (!token) throw this.errorAt(`${what} is missing`, this.text.length)
    return token.text
  }

  private accept(text: string): boolean {
    const token = this.tokens[this.next]
    if (!token || token.quoted || token.text !== text) return false
    this.next++
    return true
  }

  private offset(by = 0): number {
    return this.tokens[this.next + by]?.at ?? this.text.length
  }

  private errorAt(message: string, at: number): UserError {
    return new UserError(`condition "${this.text}": ${message}, at letter ${at + 1}`)
  }
}

function compare(field: string | number | undefined, operator: Operator, value: string): boolean {
  if (field === undefined) return false
  const [a, b] = [Number(field), Number(value)]
  const numeric = !Number.isNaN(a) && !Number.isNaN(b) && value.trim() !== ''
  if (operator === '==') return numeric ? a === b : String(field) === value
  if (operator === '!=') return numeric ? a !== b : String(field) !== value
  if (!numeric) return false
  return operator === '<' ? a < b : operator === '<=' ? a <= b : operator === '>' ? a > b : a >= b
}
