import { type ParseResult, Visitor } from 'oxc-parser'

/**
 * Replaces comments and contents of strings in a parsed text by spaces of the same length, which
 * preserves places. Code inside `${…}` of a template stays.
 */
export function blank(text: string, parsed: ParseResult): string {
  const hidden: [start: number, end: number][] = parsed.comments.map(({ start, end }) => [
    start,
    end,
  ])
  new Visitor({
    Literal(node) {
      if ('regex' in node) hidden.push([node.start + 1, text.lastIndexOf('/', node.end - 1)])
      else if (typeof node.value === 'string') hidden.push([node.start + 1, node.end - 1])
    },
    // Includes its delimiters: a backquote or a brace before, a backquote or `${` after.
    TemplateElement(node) {
      hidden.push([node.start + 1, node.end - (node.tail ? 1 : 2)])
    },
  }).visit(parsed.program)
  return without(text, hidden)
}

function without(text: string, hidden: [start: number, end: number][]): string {
  let at = 0
  let kept = ''
  for (const [start, end] of hidden.sort(([one], [other]) => one - other)) {
    kept += text.slice(at, start) + text.slice(start, end).replace(/[^\n]/g, ' ')
    at = end
  }
  return kept + text.slice(at)
}
