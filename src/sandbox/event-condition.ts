/**
 * Conditions on events, such as `coin == BTC and px > 62000`.
 *
 * Names are fields of an event; texts are compared as they are, numbers as numbers. `and` binds
 * closer than `or`; parentheses may be used. A field that an event lacks matches nothing.
 */
import { UserError } from '../platform/user-error.ts'

export type EventFields = Readonly<Record<string, string | number>>
export type EventCondition = (fields: EventFields) => boolean

/** Maximum length of a condition. */
export const CONDITION_LETTERS_MAX = 1_000
/** Maximum number of comparisons in a condition. */
export const CONDITION_COMPARISONS_MAX = 64
/** Maximum depth of parentheses. */
export const CONDITION_DEPTH_MAX = 16

/** Parses a condition; a UserError says where it cannot be parsed, or which bound it exceeds. */
export function parseEventCondition(text: string): EventCondition {
  if (text.length > CONDITION_LETTERS_MAX)
    throw new UserError(
      `a condition has at most ${CONDITION_LETTERS_MAX} letters, this one ${text.length}`,
    )
  return compiled(new ConditionParser(text).parse())
}

/** A parsed term: parentheses are gone, and terms with the same join are one list. */
type Term = { join: 'and' | 'or'; terms: Term[] } | { join: null; condition: EventCondition }

function compiled(term: Term): EventCondition {
  if (term.join === null) return term.condition
  const conditions = term.terms.map(compiled)
  return term.join === 'or'
    ? (fields) => conditions.some((condition) => condition(fields))
    : (fields) => conditions.every((condition) => condition(fields))
}

/** Joins terms: a single one is itself, and nested ones with the same join are flattened. */
function joined(join: 'and' | 'or', terms: Term[]): Term {
  const [first, second] = terms
  if (first && !second) return first
  return { join, terms: terms.flatMap((term) => (term.join === join ? term.terms : term)) }
}

const TOKEN = /\s*(?:(==|!=|<=|>=|<|>|\(|\))|"([^"]*)"|([^\s()=<>!"]+))/y
const OPERATORS = ['==', '!=', '<', '<=', '>', '>='] as const
type Operator = (typeof OPERATORS)[number]

interface Token {
  text: string
  quoted: boolean
  at: number
}

class ConditionParser {
  private readonly tokens: Token[] = []
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
    this.checkBounds()
  }

  parse(): Term {
    const term = this.parseOr()
    const left = this.tokens[this.next]
    if (left) throw this.errorAt(`"${left.text}" is one too many`, left.at)
    return term
  }

  /** Bounds are checked before parsing, as each parenthesis is a recursive call. */
  private checkBounds(): void {
    const signs = this.tokens.filter(({ quoted }) => !quoted).map(({ text }) => text)
    const comparisons = signs.filter((text) => OPERATORS.includes(text as Operator)).length
    if (comparisons > CONDITION_COMPARISONS_MAX)
      throw this.error(`at most ${CONDITION_COMPARISONS_MAX} comparisons, not ${comparisons}`)
    let [depth, deepest] = [0, 0]
    for (const text of signs) {
      if (text === '(') deepest = Math.max(deepest, ++depth)
      if (text === ')') depth--
    }
    if (deepest > CONDITION_DEPTH_MAX)
      throw this.error(
        `at most ${CONDITION_DEPTH_MAX} parentheses within one another, not ${deepest}`,
      )
  }

  private parseOr(): Term {
    const terms = [this.parseAnd()]
    while (this.accept('or')) terms.push(this.parseAnd())
    return joined('or', terms)
  }

  private parseAnd(): Term {
    const terms = [this.parseTerm()]
    while (this.accept('and')) terms.push(this.parseTerm())
    return joined('and', terms)
  }

  private parseTerm(): Term {
    if (!this.accept('(')) return { join: null, condition: this.parseComparison() }
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
    return comparison(name, operator, this.expectWord('a value'))
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
    return this.error(`${message}, at letter ${at + 1}`)
  }

  private error(message: string): UserError {
    return new UserError(`condition "${this.text}": ${message}`)
  }
}

type Comparison = (one: string | number, other: string | number) => boolean
const COMPARISONS: Readonly<Record<Operator, Comparison>> = {
  '==': (one, other) => one === other,
  '!=': (one, other) => one !== other,
  '<': (one, other) => one < other,
  '<=': (one, other) => one <= other,
  '>': (one, other) => one > other,
  '>=': (one, other) => one >= other,
}

function comparison(name: string, operator: Operator, value: string): EventCondition {
  const compare = COMPARISONS[operator]
  const wanted = value.trim() === '' ? Number.NaN : Number(value)
  const takesTexts = operator === '==' || operator === '!='
  return (fields) => {
    if (!Object.hasOwn(fields, name)) return false
    const field = fields[name] as string | number
    const given = Number(field)
    if (!Number.isNaN(given) && !Number.isNaN(wanted)) return compare(given, wanted)
    return takesTexts && compare(String(field), value)
  }
}
