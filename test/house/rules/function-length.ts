import { type Program, Visitor } from 'oxc-parser'

/** A function and its length. */
export interface FunctionLength {
  /** Start, as an index of the text. */
  start: number
  /**
   * Lines with code. Those of an inner function count for that one, and a data literal is one line,
   * however it is laid out.
   */
  lines: number
}

interface Span {
  start: number
  end: number
}

/** Every function of a parsed text; `code` is the text without comments. */
export function functionsOf(code: string, program: Program): FunctionLength[] {
  const functions: Span[] = []
  const literals: Span[] = []
  const blocks: number[] = []
  const add = (node: Span) => functions.push(node)
  new Visitor({
    FunctionDeclaration: add,
    FunctionExpression: add,
    ArrowFunctionExpression: add,
    ObjectExpression: (node) => literals.push(node),
    BlockStatement: ({ start }) => blocks.push(start),
  }).visit(program)
  const data = literals.filter(({ start, end }) => !blocks.some((at) => at > start && at < end))
  const found = functions.map(({ start, end }) => ({ start, end, lines: 0 }))
  let begun = 0
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', begun)) {
    const isEmpty = code.slice(begun, at).trim() === ''
    begun = at + 1
    if (isEmpty || data.some(holds(at))) continue
    // The innermost function at the line's end is the last to begin.
    const owner = found.filter(holds(at)).sort((one, other) => other.start - one.start)[0]
    if (owner) owner.lines++
  }
  return found
}

const holds = (at: number) => (span: Span) => span.start < at && at < span.end
