/** What drawings of the documents have in common: an SVG that needs no font and no script. */

/** Where a panel of a drawing puts its values. */
export interface Panel {
  x: number
  y: number
  width: number
  height: number
}

const DARK = '@media (prefers-color-scheme: dark)'

/** A drawing in the colours that its reader prefers; `style` adds to what `ink` and `rule` are. */
export function drawing(
  title: string,
  { width, height }: { width: number; height: number },
  parts: readonly string[],
  style = '',
): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"`,
    ' font-family="sans-serif" font-size="11" fill="none">',
    '<style>.paper{fill:#fff}.ink{fill:#222}.rule{stroke:#8886}',
    `${DARK}{.paper{fill:#14171c}.ink{fill:#d5d9e0}}${style}</style>`,
    `<title>${escaped(title)}</title>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    `<text class="ink" x="14" y="19" font-size="14">${escaped(title)}</text>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}

/** A line of text; `anchor` says which end of it stands at the place. */
export function textAt(
  [x, y]: readonly [number, number],
  text: string,
  anchor: 'start' | 'middle' | 'end' = 'start',
): string {
  const at = anchor === 'start' ? '' : ` text-anchor="${anchor}"`
  return `<text class="ink" x="${short(x)}" y="${short(y)}"${at}>${escaped(text)}</text>`
}

/** A coordinate, to a tenth. */
export const short = (value: number): string => String(Math.round(value * 10) / 10)

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
