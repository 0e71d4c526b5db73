/** A table; the cells are Markdown themselves. Empty for no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map(cell))]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}

/** Text as it is typed. */
export const code = (text: string): string => `\`${text}\``

/** A block of code in a language. */
export const block = (language: string, text: string): string =>
  `\`\`\`${language}\n${text}\n\`\`\``

/** Paragraphs with an empty line between them; empty ones are left out. */
export function paragraphs(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part).join('\n\n')
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
