import type { Deviation } from '../deviation.ts'
import { answer, body, data, deviationsOf, reading } from './shorthand.ts'

/** Deviations of distributors, their levels and their quotas. */
export const DISTRIBUTOR_DEVIATIONS: readonly Deviation[] = [
  ...deviationsOf('distributor.registration.token', {
    'the missing token is not named': answer(/register/, (text) =>
      text.replace('invite_token', 'it'),
    ),
  }),
  ...deviationsOf('distributor.registration.public', {
    'an invalid token is HTTP 200': answer(/register/, () => ({ status: 200 })),
    'an invalid token has no error': body(/register/, ({ error: _, ...envelope }) => envelope),
  }),
  ...deviationsOf('distributor.registration.once', {
    'the secret is sent again': data(/info/, (row) => ({ ...row, secret_key: 'x' })),
    'name is another': data(/info/, (row) => ({ ...row, name: 'somebody' })),
    'a level is there from the start': data(/levels\?/, (list) => [...list, 'basic']),
    'a part of the quota is used': data(/quota/, (row) => ({ ...row, used_quota: 5 })),
  }),
  ...deviationsOf('distributor.levels.life', {
    'GET answers an action more': answer(/levels.conf/, (text) =>
      text.replace('"HL_FILLS"', '"HL_FILLS","HL_INFO"'),
    ),
    'limits are text': answer(/levels.conf/, (text) => text.replace(/:(\d+),/, ':"$1",')),
    'a new level is not listed': data(/levels\?/, (list) =>
      list.filter((name: string) => !name.startsWith('conf')),
    ),
    'DELETE removes nothing': {
      request: (sent) => (sent.method === 'DELETE' ? { ...sent, method: 'GET' } : sent),
    },
  }),
  ...deviationsOf('distributor.levels.put-answer', {
    'PUT answers the level': body(/levels.conf/, (envelope) => ({ ...envelope, data: {} })),
    'PUT has no message': body(/levels.conf/, ({ message: _, ...envelope }) => envelope),
  }),
  ...deviationsOf('distributor.levels.refused', {
    'futures is a resource_type': reading(/levels.conf/, (_, given) => {
      for (const one of given?.permissions ?? []) one.resource_type = 'perpdex'
    }),
    'a refused level is HTTP 403': answer(/levels.conf/, (text) =>
      text.includes('resource_type must') ? { status: 403 } : text,
    ),
  }),
  ...deviationsOf('distributor.levels.reserved', {
    'reserved actions are refused': reading(/levels.conf/, (_, given) => {
      if (given) given.permissions[0].actions = ['NO_SUCH']
    }),
  }),
  ...deviationsOf('distributor.levels.fields', {
    'a limit is null': answer(/levels.basic/, (text) =>
      text.replace(/request":\d+/, 'request":null'),
    ),
    'a resource_type is another': answer(/levels.b/, (text) => text.replace('perpdex', 'futures')),
  }),
  ...deviationsOf('distributor.quota.sums', {
    'available is the ceiling': data(/quota/, (row) => ({
      ...row,
      available_quota: row.max_total_quota,
    })),
    'remaining is less than it is': data(/quota/, (row) => ({
      ...row,
      remaining_quota: row.remaining_quota - 1,
    })),
    'a number is text': data(/quota/, (row) => ({ ...row, used_quota: String(row.used_quota) })),
  }),
  ...deviationsOf('distributor.quota.used', {
    'every second request counts': data(/quota/, (row) => {
      const used_quota = Math.floor(row.used_quota / 2)
      return { ...row, used_quota, remaining_quota: row.max_total_quota - used_quota }
    }),
    'calls of the distributor count too': () => {
      let calls = 0
      return data(/quota/, (row) => {
        const used_quota = row.used_quota + calls++
        return { ...row, used_quota, remaining_quota: row.max_total_quota - used_quota }
      })
    },
  }),
  ...deviationsOf('distributor.quota.level', {
    'a request more is answered': reading(/levels.conf/, (_, given) => {
      if (given) given.request_limits.max_request += 1
    }),
  }),
  ...deviationsOf('distributor.sub-keys.permissions', {
    'a level gains an action by itself': reading(/levels.basic/, (_, given) => {
      const [first] = given?.permissions ?? []
      if (first?.actions.length === 1) first.actions.push('HL_ACTIVE_STATS')
    }),
  }),
  ...deviationsOf('distributor.sub-keys.info', {
    'a reserved action opens its type': reading(/levels.basic/, (_, given) => {
      const [first] = given?.permissions ?? []
      if (first?.actions.includes('HL_INFO_META')) first.actions.push('HL_INFO')
    }),
  }),
  ...deviationsOf('distributor.sub-keys.sockets', {
    'one action opens two sockets': reading(/levels.basic/, (_, given) => {
      const [first] = given?.permissions ?? []
      if (first?.actions.includes('HL_WS_FILLS')) first.actions.push('HL_WS_FILLED_ORDERS')
    }),
  }),
  ...deviationsOf('distributor.sub-keys.rate', {
    'the rate of a level is not kept': reading(/levels.basic/, (_, given) => {
      if (given) given.request_limits.request_rate_limit = 6000
    }),
  }),
  ...deviationsOf('distributor.sub-keys.time-range', {
    'the time range of a level is not kept': reading(/levels.basic/, (_, given) => {
      if (given) given.request_limits.max_time_range = 2_592_000
    }),
    'a number of candles is no range': reading(/klines/, (query) => {
      if (!query.has('startTime')) query.delete('limit')
    }),
  }),
]
