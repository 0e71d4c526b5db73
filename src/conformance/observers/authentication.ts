/** Whether nonces are remembered. */
import { isSuccess } from '../response-reading.ts'
import type { Observers } from './observer.ts'

export const AUTHENTICATION_OBSERVERS: Observers = {
  'nonce-reuse': async (probe) => {
    const nonce = probe.newNonce()
    const once = await probe.request({ path: '/coin', nonce })
    const twice = await probe.request({ path: '/coin', nonce })
    if (!isSuccess(once)) return null
    return isSuccess(twice) ? 'accept' : 'reject'
  },
}
