/** Colours of the style sheet, for what draws by itself. */
import { isDark } from '../shell/preferences.ts'

export type TokenColors = Readonly<Record<(typeof NAMES)[number], string>>

const NAMES = [
  'ground',
  'panel',
  'line',
  'text',
  'faint',
  'accent',
  'up',
  'down',
  'warn',
  'up-ground',
  'down-ground',
  'accent-ground',
] as const

const known = new Map<boolean, TokenColors>()

/** As they are now; read in a component it is drawn anew when they change. */
export function tokenColors(): TokenColors {
  const dark = isDark()
  const colors = known.get(dark) ?? readColors(dark)
  known.set(dark, colors)
  return colors
}

/** As `rgb(…)`, which everything that draws understands. */
function readColors(dark: boolean): TokenColors {
  const probe = document.createElement('span')
  probe.style.colorScheme = dark ? 'dark' : 'light'
  document.body.append(probe)
  const colors = NAMES.map((name) => {
    probe.style.color = `var(--${name})`
    return [name, getComputedStyle(probe).color]
  })
  probe.remove()
  return Object.fromEntries(colors)
}

/** The same colour, so much of it. */
export function withAlpha(color: string, alpha: number): string {
  const parts = color.match(/[\d.]+/g) ?? []
  return `rgba(${parts.slice(0, 3).join(', ')}, ${alpha})`
}
