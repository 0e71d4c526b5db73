/** Whether nonces are remembered. */
import type { Credentials } from '../../contract/signature.ts'
import { isSuccess } from '../response-reading.ts'
import type { Observers } from './observer.ts'

export const AUTHENTICATION_OBSERVERS: Observers = {
  'nonce-reuse': async (probe) => {
    let first: Credentials | null = null
    const forge = (right: Credentials) => {
      first ??= right
      return first
    }
    const once = await probe.request({ path: '/coin', tamper: forge })
    const twice = await probe.request({ path: '/coin', tamper: forge })
    if (!isSuccess(once)) return null
    return isSuccess(twice) ? 'accept' : 'reject'
  },
}
