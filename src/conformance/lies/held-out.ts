/**
 * Lies by hand, held out: written before the rules that would notice them were read, by the kinds
 * of faults that a run has missed. They measure the rules; those from declarations train them.
 */

import { CHANNELS } from '../../contract/catalogue.ts'
import type { Channel } from '../../contract/channel.ts'
import { isJsonObject, type JsonObject, parsedJson } from '../responses.ts'
import type { TransportRequest, TransportResponse } from '../target-transport.ts'
import { type AnswerSource, dataChange, laterChange, negated, nudged } from './answer-changes.ts'
import { type Change, type Family, type Lie, operationOf } from './lying-transport.ts'
import { onPath, pushes } from './on-sockets.ts'

const lie = (
  family: Family,
  of: string,
  what: string,
  needs: string,
  change: Lie['change'],
): Lie => {
  const [operation = of, type] = of.split('/')
  const which = { of: operation, ...(type === undefined ? {} : { type }) }
  return { id: `held-out.${of}: ${what}`, family, ...which, needs, isHeldOut: true, change }
}

const channel = (id: string) => CHANNELS.find((one) => one.id === id) as Channel

// Parts.

/** Each object of the data, however deep. */
function* objectsIn(value: unknown): Iterable<JsonObject> {
  if (Array.isArray(value)) for (const one of value) yield* objectsIn(one)
  if (!isJsonObject(value) || Array.isArray(value)) return
  yield value
  for (const one of Object.values(value)) yield* objectsIn(one)
}

/** Changes fields by name, wherever they are in the data. */
const fields =
  (names: readonly string[], change: (value: unknown, holder: JsonObject) => unknown) =>
  (data: unknown): unknown => {
    for (const holder of [...objectsIn(data)])
      for (const name of names) if (name in holder) holder[name] = change(holder[name], holder)
    return data
  }

const times =
  (factor: number) =>
  (value: unknown): unknown => {
    if (typeof value === 'number') return value * factor
    const decimals = String(value).split('.')[1]?.length ?? 0
    return Number.isFinite(Number(value)) ? (Number(value) * factor).toFixed(decimals) : value
  }

const swapped =
  (...pairs: (readonly [string, string])[]) =>
  (data: unknown): unknown => {
    for (const holder of [...objectsIn(data)])
      for (const [one, other] of pairs) {
        if (!(one in holder && other in holder)) continue
        const kept = holder[one]
        holder[one] = holder[other]
        holder[other] = kept
      }
    return data
  }

/** The same change of several operations. */
function together(sources: readonly AnswerSource[], change: (data: unknown) => unknown): Change {
  const changes = sources.map((source) => dataChange(source, change))
  return {
    answer: async (received, sent) => {
      let answer = received
      for (const one of changes) answer = (await one.answer?.(answer, sent)) ?? answer
      return answer
    },
  }
}

const queryOf = ({ path }: TransportRequest): URLSearchParams =>
  new URLSearchParams(path.split('?')[1] ?? '')

/** Another request for an operation, read instead of the sent one. */
const changedRequest = (
  operation: string,
  change: (sent: TransportRequest) => TransportRequest,
): Change => ({
  request: (sent) => (operationOf(sent)?.id === operation ? change(sent) : sent),
})

/** A query in which a value is another one. */
const withQuery = (sent: TransportRequest, change: (query: URLSearchParams) => void) => {
  const query = queryOf(sent)
  change(query)
  return { ...sent, path: `${sent.path.split('?')[0]}?${query}` }
}

/** Refusals of some operations with a status in another form. */
const refusals = (
  status: number,
  prefix: string,
  change: (received: TransportResponse, words: string) => Partial<TransportResponse>,
): Change => ({
  answer: (received, sent) => {
    if (received.status !== status || !operationOf(sent)?.id.startsWith(prefix)) return received
    const json = parsedJson(received.text)
    const words = isJsonObject(json) ? String(json.msg ?? json.error ?? '') : ''
    return { ...received, ...change(received, words) }
  },
})

const inB = (code: string, msg: string) => JSON.stringify({ code, msg, data: null })

// Between answers.

const info = (type: string): AnswerSource => ({ operation: 'perpdex.info', type })
const of = (operation: string): AnswerSource => ({ operation })

const ACCOUNT = 'an account with trades, positions and a ledger'

const BETWEEN: readonly Lie[] = [
  lie('between', 'coin.ticker', 'the change of a day has the other sign', 'a change', () =>
    dataChange(of('coin.ticker'), fields(['degree_24h_usd', 'degree_24h_cny'], negated)),
  ),
  lie('between', 'coin.ticker', 'the turnover of an hour is called that of a day', 'turnover', () =>
    dataChange(
      of('coin.ticker'),
      fields(['trade_24h_usd', 'trade_24h_cny', 'vol_24h'], times(1 / 24)),
    ),
  ),
  lie('between', 'perpdex.liquidationsHistory', 'sides of a day are swapped', 'liquidations', () =>
    dataChange(of('perpdex.liquidationsHistory'), (data, sent) =>
      queryOf(sent).get('interval') === '1d'
        ? swapped(['longFilled', 'shortFilled'], ['longPnl', 'shortPnl'])(data)
        : data,
    ),
  ),
  lie('between', 'perpdex.tradersStatistics', 'trades of all time are counted', ACCOUNT, () =>
    changedRequest('perpdex.tradersStatistics', (sent) => ({
      ...sent,
      body: sent.body?.replace(/"period":\d+/, '"period":0') ?? '',
    })),
  ),
  lie('between', 'perpdex.whaleDirections', 'longs are shorts', 'whales', () =>
    dataChange(of('perpdex.whaleDirections'), swapped(['longCount', 'shortCount'])),
  ),
  lie('between', 'perpdex.netFlow', 'net flows have the other sign, in a batch too', ACCOUNT, () =>
    together(
      [of('perpdex.netFlow'), of('perpdex.batchNetFlow')],
      fields(['netPerpIn', 'netSpotIn'], negated),
    ),
  ),
  lie('between', 'perpdex.accumulatedTakerDelta', 'both deltas have the other sign', 'trades', () =>
    dataChange(of('perpdex.accumulatedTakerDelta'), fields(['szDelta', 'valDelta'], negated)),
  ),
  lie('between', 'perpdex.maxDrawdown', 'its high is no point, in a batch neither', ACCOUNT, () =>
    together([of('perpdex.maxDrawdown'), of('perpdex.batchMaxDrawdown')], (data) => {
      for (const holder of [...objectsIn(data)]) {
        const [high, low] = [holder.high ?? holder.High, holder.low ?? holder.Low]
        if (!isJsonObject(high) || !isJsonObject(low)) continue
        high.value = times(1.05)(high.value)
        const lost = (1 - Number(low.value) / Number(high.value)).toFixed(6)
        for (const name of ['maxDrawdown', 'MaxDrawdown']) if (name in holder) holder[name] = lost
      }
      return data
    }),
  ),
  lie('between', 'perpdex.whalePositions', 'entries of the smaller ones are wrong', 'whales', () =>
    dataChange(of('perpdex.whalePositions'), (data) => {
      const rows = Array.isArray(data) ? data : []
      fields(['entryPrice'], times(1.02))(rows.slice(3))
      return data
    }),
  ),
  lie('between', 'perpdex.tradersAccounts', 'perpValue has builder equity in it', ACCOUNT, () =>
    dataChange(of('perpdex.tradersAccounts'), (data) => {
      for (const holder of [...objectsIn(data)])
        for (const name of ['perpValue', 'totalValue'])
          if (name in holder && Number(holder.builderPerpValue) !== 0)
            holder[name] = String(Number(holder[name]) + Number(holder.builderPerpValue))
      return data
    }),
  ),
  lie('between', 'mix.nav', 'the last price is that of a while ago', 'pairs', () =>
    dataChange(of('mix.nav'), fields(['last'], nudged)),
  ),
  lie('between', 'perpdex.fillsOfOrder', 'buys are filled above their limit', ACCOUNT, () =>
    together([of('perpdex.fillsOfOrder'), of('perpdex.fillsOfAddress')], (data) =>
      fields(['price', 'px'], (value, { side }) =>
        /^b/i.test(String(side)) ? times(1.02)(value) : value,
      )(data),
    ),
  ),
  lie('between', 'stock.quotes', 'the high is the low', 'quotes', () =>
    dataChange(of('stock.quotes'), swapped(['high', 'low'])),
  ),
  lie('between', 'index.price', 'the change of a day has the other sign', 'an index', () =>
    dataChange(of('index.price'), fields(['change24H', 'degree24H'], negated)),
  ),
  lie('between', 'signal.changes', 'the change of a day has the other sign', 'signals', () =>
    dataChange(of('signal.changes'), fields(['degree_24h'], negated)),
  ),
  lie(
    'between',
    'perpdex.info/webData2',
    'the price of the day before is the present one',
    'coins',
    () =>
      dataChange(
        info('webData2'),
        fields(['prevDayPx'], (_, { markPx }) => markPx),
      ),
  ),
  lie('between', 'perpdex.portfolio', 'the PnL of a month ends as that of a day', ACCOUNT, () => {
    let day: unknown = null
    return dataChange(of('perpdex.portfolio'), (data, { path }) => {
      const pnl = isJsonObject(data) && Array.isArray(data.pnl) ? data.pnl : []
      const last = pnl.at(-1)
      if (!isJsonObject(last)) return data
      if (/\/day(\?|$)/.test(path)) day = last.value
      if (/\/month(\?|$)/.test(path) && day !== null) last.value = day
      return data
    })
  }),
]

// Over time.

const inPast = (data: unknown, change: (row: unknown) => void): unknown => {
  if (Array.isArray(data) && data.length > 4) change(data[data.length >> 1])
  return data
}

const OVER_TIME: readonly Lie[] = [
  lie(
    'over-time',
    'perpdex.info/candleSnapshot',
    'closed candles open elsewhere the next time',
    'candles',
    () => laterChange(info('candleSnapshot'), (data) => inPast(data, fields(['o'], nudged))),
  ),
  lie('over-time', 'perpdex.portfolio', 'past values are others the next time', ACCOUNT, () =>
    laterChange(of('perpdex.portfolio'), (data) => {
      if (isJsonObject(data)) inPast(data.accountValue, fields(['value'], nudged))
      return data
    }),
  ),
  lie('over-time', 'perpdex.ordersLatest', 'rows of one time change places', ACCOUNT, () =>
    laterChange(of('perpdex.ordersLatest'), (data, rank) => {
      if (!Array.isArray(data) || rank % 2 === 0) return data
      for (let at = 1; at < data.length; at++)
        if (data[at]?.time === data[at - 1]?.time) {
          const kept = data[at]
          data[at] = data[at - 1]
          data[at - 1] = kept
          return data
        }
      return data
    }),
  ),
  lie('over-time', 'perpdex.completedTrades', 'an old trade earns more later', ACCOUNT, () =>
    laterChange(of('perpdex.completedTrades'), (data) => inPast(data, fields(['pnl'], nudged))),
  ),
  lie('over-time', 'signal.alerts', 'an alert never fires', 'an alert whose price comes', () =>
    dataChange(of('signal.alerts'), (data) => (isJsonObject(data) ? { ...data, list: [] } : data)),
  ),
  lie('over-time', 'signal.addAlert', 'the second alert is not kept', 'no alert', () => {
    let added = 0
    return {
      answer: (received, sent) => {
        if (operationOf(sent)?.id !== 'signal.addAlert' || received.status !== 200) return received
        added++
        const body = parsedJson(received.text)
        return added % 2 === 1 || !isJsonObject(body)
          ? received
          : { ...received, text: JSON.stringify({ ...body, data: { result: 'fail' } }) }
      },
    }
  }),
  lie('over-time', 'futures.fundingRateHistory', 'permission ends after three', 'a key', () => {
    let answered = 0
    return {
      answer: (received, sent) => {
        if (!operationOf(sent)?.id.startsWith('futures.') || received.status !== 200)
          return received
        answered++
        if (answered <= 3) return received
        return { ...received, status: 403, text: inB('403', 'Permission denied: futures') }
      },
    }
  }),
]

// On sockets.

const EVENTS = 'events while the run listens'

const ON_SOCKETS: readonly Lie[] = [
  lie('sockets', 'l2Book', 'only the first push has few digits', EVENTS, () =>
    pushes(channel('l2Book'), () => (frame, rank) => {
      const data = frame.data as JsonObject
      const [bids = [], asks = []] = (data.levels ?? []) as JsonObject[][]
      if (rank === 0 || bids.length === 0) return [frame]
      const round = bids.every(({ px }) => /0+$/.test(String(px).replace(/\D/g, '')))
      if (!round) return [frame]
      const finer = (row: JsonObject) => ({ ...row, px: String(row.px).replace(/0(\D*)$/, '1$1') })
      return [{ ...frame, data: { ...data, levels: [bids.map(finer), asks.map(finer)] } }]
    }),
  ),
  lie('sockets', 'trades', 'types without a subscription are pushed', EVENTS, () =>
    pushes(channel('trades'), () => (frame) => [
      frame,
      { channel: 'activeAssetCtx', data: { coin: 'BTC', ctx: { markPx: '1' } } },
    ]),
  ),
  lie('sockets', 'candle', 'a closed candle is pushed again with other values', EVENTS, () =>
    pushes(channel('candle'), () => {
      const before = new Map<string, JsonObject>()
      return (frame) => {
        const data = frame.data as JsonObject
        const key = `${data.s} ${data.i}`
        const earlier = before.get(key)
        before.set(key, data)
        if (earlier === undefined || earlier.t === data.t) return [frame]
        return [frame, { ...frame, data: fields(['v'], nudged)(structuredClone(earlier)) }]
      }
    }),
  ),
  lie('sockets', 'trades', 'one trade in 50 is lost', EVENTS, () => {
    let count = 0
    return pushes(channel('trades'), () => (frame, rank) => {
      if (rank === 0 || !Array.isArray(frame.data)) return [frame]
      const data = frame.data.filter(() => ++count % 50 !== 0)
      return data.length === 0 ? [] : [{ ...frame, data }]
    })
  }),
  lie('sockets', 'trades', 'one trade in 40 is repeated later', EVENTS, () => {
    let [count, kept]: [number, unknown] = [0, null]
    return pushes(channel('trades'), () => (frame, rank) => {
      if (rank === 0 || !Array.isArray(frame.data)) return [frame]
      const again = kept === null ? [] : [kept]
      kept = null
      for (const trade of frame.data) if (++count % 40 === 0) kept = trade
      return [{ ...frame, data: [...frame.data, ...again] }]
    })
  }),
  lie('sockets', 'trades', 'two of one push stand the wrong way round', EVENTS, () =>
    pushes(
      channel('trades'),
      () => (frame, rank) =>
        rank === 0 || !Array.isArray(frame.data)
          ? [frame]
          : [{ ...frame, data: [...frame.data].reverse() }],
    ),
  ),
  lie('sockets', 'bbo', 'a pong waits for the next push', EVENTS, () =>
    onPath(channel('bbo'), () => {
      const held: string[] = []
      return {
        frame: (text) => {
          if (!/"pong"/.test(text) || text.length > 100) return [text, ...held.splice(0)]
          held.push(text)
          return []
        },
      }
    }),
  ),
  lie('sockets', 'userFills', 'a fee of a push is another one than over REST', EVENTS, () =>
    pushes(channel('userFills'), () => (frame, rank) => [
      rank === 0 ? frame : { ...frame, data: fields(['fee'], nudged)(structuredClone(frame.data)) },
    ]),
  ),
]

// Refusals, rates, and what is read.

const HEX = /0x[0-9a-f]*[A-F][0-9a-fA-F]*/

const REFUSALS: readonly Lie[] = [
  lie(
    'refusals',
    'futures.fundingRateHistory',
    '403 of all futures is in envelope A',
    'a bare key',
    () =>
      refusals(403, 'futures.', (_, error) => ({
        text: JSON.stringify({ success: false, errorCode: 403, error, data: null }),
      })),
  ),
  lie(
    'refusals',
    'index.price',
    'a missing parameter is refused without an envelope',
    'a key',
    () => refusals(400, 'index.', (_, message) => ({ text: JSON.stringify({ message }) })),
  ),
  lie('refusals', 'distributor.putLevel', '400 of a level is in envelope B', 'a partner key', () =>
    refusals(400, 'distributor.', (_, msg) => ({ text: inB('400', msg) })),
  ),
  lie('refusals', 'content.newsList', 'refusals of content are text/html', 'a key', () =>
    refusals(401, 'content.', () => ({ contentType: 'text/html' })),
  ),
  lie('refusals', 'content.flashList', 'successes of content are latin-1', 'a key', () => ({
    answer: (received, sent) =>
      operationOf(sent)?.id.startsWith('content.') && received.status === 200
        ? { ...received, contentType: 'application/json; charset=latin-1' }
        : received,
  })),
  lie(
    'refusals',
    'distributor.quota',
    'a request more than the limit is answered',
    'a quota',
    () => {
      const successes = new Map<string, TransportResponse>()
      let passed = 0
      return {
        answer: (received, sent) => {
          const id = operationOf(sent)?.id ?? ''
          if (received.status === 200) successes.set(id, received)
          if (received.status !== 429 || passed++ > 0) return received
          return successes.get(id) ?? received
        },
      }
    },
  ),
  lie('refusals', 'distributor.quota', 'a refusal of rate never ends', 'a quota', () => {
    const refused = new Map<string, TransportResponse>()
    return {
      answer: (received, sent) => {
        const key = /AccessKeyId=([^&]+)/.exec(sent.path)?.[1] ?? ''
        if (received.status === 429) refused.set(key, received)
        return refused.get(key) ?? received
      },
    }
  }),
]

const READING: readonly Lie[] = [
  lie('between', 'perpdex.liquidationsStat', 'every interval is an hour', 'liquidations', () => ({
    request: (sent) =>
      /liquidations(Stat|TopPositions)/.test(operationOf(sent)?.id ?? '')
        ? withQuery(sent, (query) => {
            if (query.has('interval')) query.set('interval', '1h')
          })
        : sent,
  })),
  lie('between', 'perpdex.ordersLatest', 'the oldest are given for the latest', ACCOUNT, () => {
    const given = (sent: TransportRequest) => Number(queryOf(sent).get('limit') ?? 100)
    const wide = changedRequest('perpdex.ordersLatest', (sent) =>
      withQuery(sent, (query) => query.set('limit', '2000')),
    )
    const cut = dataChange(of('perpdex.ordersLatest'), (data, sent) =>
      Array.isArray(data) ? data.slice(-given(sent)) : data,
    )
    return { ...wide, ...cut }
  }),
  lie('between', 'signal.alertConfig', 'names are in the other language', 'a key', () =>
    changedRequest('signal.alertConfig', (sent) =>
      withQuery(sent, (query) => query.set('lan', query.get('lan') === 'en' ? 'cn' : 'en')),
    ),
  ),
  lie('between', 'perpdex.fillsOfAddress', 'capital letters find no address', ACCOUNT, () => ({
    answer: (received, sent) => {
      if (received.status !== 200 || !HEX.test(sent.path.split('?')[0] ?? '')) return received
      const body = parsedJson(received.text)
      return isJsonObject(body) && Array.isArray(body.data)
        ? { ...received, text: JSON.stringify({ ...body, data: [] }) }
        : received
    },
  })),
  lie('between', 'perpdex.fillsOfAddress', 'beside a limit the coin is not read', ACCOUNT, () =>
    changedRequest('perpdex.fillsOfAddress', (sent) =>
      withQuery(sent, (query) => {
        if (query.has('limit')) query.delete('coin')
      }),
    ),
  ),
]

export const HELD_OUT_LIES: readonly Lie[] = [
  ...BETWEEN,
  ...OVER_TIME,
  ...ON_SOCKETS,
  ...REFUSALS,
  ...READING,
]
