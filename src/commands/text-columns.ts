/** Lines of a help text are no longer than this. */
const WIDTH = 96

/** A text in lines that are short enough, each after so many spaces. */
export function wrapped(text: string, indent: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= WIDTH)
      lines[lines.length - 1] = `${line} ${word}`
    else lines.push(' '.repeat(indent) + word)
  }
  return lines
}
