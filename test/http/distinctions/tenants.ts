/** Distributors, levels and quotas: probes of the initial keys of a sandbox. */
import type { ReplayRequest, RequestedMarket } from '../../fixtures/requested-market.ts'
import { type Distinctions, differs, type Row } from './looks.ts'

export const TENANTS_DISTINCTIONS: Distinctions = {
  Distributor: {
    'its own level is none of its levels': (market) =>
      !ofPartner(market, 'levels').includes(ofPartner(market, 'info').level),
    'sub keys are some, and fewer than the ceiling': (market) => {
      const { sub_key_count: count, max_sub_keys: ceiling } = ofPartner(market, 'info')
      return count > 0 && count < ceiling
    },
    'two distributors have names, keys and sub keys of their own': (market) => {
      const [one, other] = [ofPartner(market, 'info'), infoOf(market, 'demo')]
      return ['access_key', 'name', 'sub_key_count'].filter((field) => one[field] === other[field])
    },
    'each preset of an invite token differs from what another distributor has': (market) => {
      const made = tenant(market, 'POST', 'register', { body: { invite_token: 'demo-invite' } })
      const key = { accessKey: made.access_key, secretKey: made.secret_key }
      const [invited, usual] = [infoOf(market, key), ofPartner(market, 'info')]
      return Object.keys(usual).filter((field) => invited[field] === usual[field])
    },
  },
  'Quota summary': {
    'five figures that differ, once sub keys have requested something': (market) => {
      for (const path of ['/hl/tickers', '/coin']) market.ask('GET', path, { key: 'demo-sub' })
      const { max_total_quota, allocated_quota, ...rest } = ofPartner(market, 'quota')
      const { available_quota, used_quota, remaining_quota } = rest
      return differs(
        ...[max_total_quota, allocated_quota, available_quota, used_quota, remaining_quota],
      )
    },
    'what is allocated is not the quota of one level for each sub key': (market) => {
      const { allocated_quota: allocated } = ofPartner(market, 'quota')
      const { sub_key_count: count } = ofPartner(market, 'info')
      return levelsOf(market).every((one) => one.request_limits.max_request * count !== allocated)
    },
  },
  'Level config': {
    'each request limit of a level differs from that of another': (market) => {
      const [one, other] = levelsOf(market).map((level) => level.request_limits)
      return Object.keys(one).filter((limit) => one[limit] === other[limit])
    },
    'a level grants actions in more than one item, another none': (market) => {
      const granted = levelsOf(market).map(({ permissions }) =>
        permissions.filter(({ actions }: Row) => actions.length > 0),
      )
      const counts = granted.map((items) => items.length)
      return counts.some((count) => count > 1) && counts.includes(0)
    },
    'a sub key is refused an action, another is permitted it': (market) => {
      const of = (key: string) => {
        try {
          market.ask('GET', '/hl/tickers', { key })
          return 'permitted'
        } catch (error) {
          return (error as Error).message
        }
      }
      return (
        of('demo-sub') === 'permitted' &&
        of('demo-bare').includes(' is 403: ') &&
        of('demo-bare').includes('"Permission denied: HL_TICKERS"')
      )
    },
  },
}

const tenant = (market: RequestedMarket, method: string, path: string, request = {}): Row =>
  market.ask(method, `/distributor/${path}`, request)

const ofPartner = (market: RequestedMarket, path: string): Row =>
  tenant(market, 'GET', path, { key: 'demo-partner' })

const infoOf = (market: RequestedMarket, key: ReplayRequest['key']): Row =>
  tenant(market, 'GET', 'info', { key })

const levelsOf = (market: RequestedMarket): Row[] =>
  ofPartner(market, 'levels').map((name: string) => ofPartner(market, `levels/${name}`))
