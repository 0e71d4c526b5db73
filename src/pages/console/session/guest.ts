/** Read-only guests: who opens `/console#guest=TOKEN` looks at everything and changes nothing. */
import { computed } from '@preact/signals'
import { controlToken, giveToken } from './token.ts'

/** Whether nothing can be changed from this page. */
export const isGuest = computed(() => controlToken.value?.startsWith('guest-') ?? false)

/** Takes the token out of the address. */
export function acceptGuestLink(): void {
  const [, token] = /^#guest=(guest-[0-9a-f]+)$/.exec(location.hash) ?? []
  if (token === undefined) return
  giveToken(token)
  // What is in the address is shown to others, and is no view.
  location.replace(`${location.pathname}${location.search}#/`)
}
