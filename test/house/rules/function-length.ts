import { type Program, Visitor } from 'oxc-parser'

/** A function and how long it is. */
export interface FunctionLength {
  /** Where it begins, as an index of the text. */
  start: number
  /**
   * Lines with code on them. Those of a function inside it are that one's own, and a literal of
   * nothing but data is one line, however it is laid out.
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
    // Of those that hold the line's end, the last to begin is the innermost.
    const owner = found.filter(holds(at)).sort((one, other) => other.start - one.start)[0]
    if (owner) owner.lines++
  }
  return found
}

const holds = (at: number) => (span: Span) => span.start < at && at < span.end
