import type { Observers } from './observer.ts'

export const ERRORS_OBSERVERS: Observers = {
  'refusal-status': async (probe) => {
    const { status } = await probe.request({ path: '/hl/tickers', signedIn: 'nowhere' })
    return status === 200 ? 'ok' : status === 401 ? 'http' : null
  },
}
