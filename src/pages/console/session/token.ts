/** The token of the control plane, kept for as long as the tab is open. */
import { signal } from '@preact/signals'

const NAME = 'tapewright.control-token'

/** null until one is given; on loopback there is none. */
export const controlToken = signal<string | null>(stored())

export function giveToken(token: string): void {
  controlToken.value = token
  try {
    sessionStorage.setItem(NAME, token)
  } catch {}
}

function stored(): string | null {
  try {
    return sessionStorage.getItem(NAME)
  } catch {
    return null
  }
}
