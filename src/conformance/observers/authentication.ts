/** How requests are let in and refused. */
import type { Credentials } from '../../contract/signature.ts'
import { isSuccess } from '../response-reading.ts'
import { among, type Observers } from './observer.ts'

export const AUTHENTICATION_OBSERVERS: Observers = {
  'nonce-reuse': async (probe) => {
    let kept: Credentials | null = null
    const forge = (right: Credentials) => {
      kept ??= right
      return kept
    }
    const once = await probe.request({ path: '/coin', tamper: forge })
    const twice = await probe.request({ path: '/coin', tamper: forge })
    if (!isSuccess(once)) return null
    return isSuccess(twice) ? 'accept' : 'reject'
  },
  'refusal-status': async (probe) => {
    const { status } = await probe.request({ path: '/hl/tickers', signedIn: 'nowhere' })
    return status === 200 ? 'ok' : status === 401 ? 'http' : null
  },
  'level-absent': async (probe) => {
    const path = '/distributor/levels/there-is-no-such-level'
    const { status } = await probe.request({ path, signedBy: 'partner' })
    return among(status, ['404', '400'])
  },
  'index-info-signature': async (probe) => {
    const query = { key: 'i:total:index' }
    const asked = { path: '/index/indexInfo', query, signedIn: 'nowhere' } as const
    return isSuccess(await probe.request(asked)) ? 'open' : 'signed'
  },
}
