/** Preferences of the user: colours and language, kept in the browser. */
import { effect, signal } from '@preact/signals'

export const LANGUAGES = ['en', 'zh'] as const
export type Language = (typeof LANGUAGES)[number]

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

/** Chinese where the browser prefers it. */
export const language = signal<Language>(
  stored('language', LANGUAGES) ?? (navigator.language.startsWith('zh') ? 'zh' : 'en'),
)

export const theme = signal<Theme>(stored('theme', THEMES) ?? 'system')

const systemIsDark = matchMedia('(prefers-color-scheme: dark)')
const darkSystem = signal(systemIsDark.matches)
systemIsDark.addEventListener('change', ({ matches }) => {
  darkSystem.value = matches
})

/** Whether the dark theme is active, for canvases. */
export const isDark = (): boolean =>
  theme.value === 'system' ? darkSystem.value : theme.value === 'dark'

/** Applies and stores the preferences. */
export function applyPreferences(): void {
  effect(() => {
    document.documentElement.dataset.theme = theme.value
    keep('theme', theme.value)
  })
  effect(() => {
    document.documentElement.lang = language.value
    keep('language', language.value)
  })
}

function stored<T extends string>(name: string, allowed: readonly T[]): T | null {
  try {
    return allowed.find((one) => one === localStorage.getItem(`tapewright.${name}`)) ?? null
  } catch {
    return null
  }
}

/** A browser without storage uses the defaults next time. */
function keep(name: string, value: string): void {
  try {
    localStorage.setItem(`tapewright.${name}`, value)
  } catch {}
}
