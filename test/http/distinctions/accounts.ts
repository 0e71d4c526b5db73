/** Fills, orders, accounts, positions and whales: probes of the default world. */
import {
  accountsOf,
  addressesOf,
  all,
  both,
  type Distinctions,
  differs,
  fillsOf,
  get,
  info,
  liquidatedFills,
  ordersOf,
  positionsOf,
  post,
  type Row,
  signs,
  statesOf,
} from './looks.ts'

export const ACCOUNTS_DISTINCTIONS: Distinctions = {
  Fills: {
    'both sides, takers and makers': (market) => {
      const rows = fillsOf(market)
      return both(rows, ({ side }) => side === 'B') && both(rows, ({ crossed }) => crossed)
    },
    'a fill is of a TWAP, another is not': (market) =>
      both(fillsOf(market), ({ twapId }) => twapId === null || twapId === undefined),
    'fees are paid and given back': (market) => signs(fillsOf(market), ({ fee }) => fee),
    'positions are opened, closed, turned and liquidated, and tokens bought': (market) => {
      const seen = new Set(
        [...fillsOf(market), ...liquidatedFills(market)].map(
          ({ dir }) => String(dir).split(' ')[0],
        ),
      )
      return ['Open', 'Close', 'Buy', 'Sell', 'Liquidated'].filter((dir) => !seen.has(dir))
    },
    'a closing fill gains, another loses': (market) =>
      signs(fillsOf(market), ({ closedPnl }) => closedPnl),
    'fills of an address are more than the limit of 2000': (market) => {
      const address = market.persona('busiest')
      const of = (query: object) => get(market, '/hl/fills/:address', query, { address }).length
      return of({}) === 1000 && of({ limit: '2000' }) === 2000
    },
    'fills of a builder have a fee, and more than the default of 1000': (market) => {
      const [builder] = market.cast.builders
      const rows = get(market, '/hl/fills/builder/:builder/latest', { limit: '2000' }, { builder })
      return rows.length > 1000 && all(rows, ({ builderFee }: Row) => Number(builderFee) > 0)
    },
    'a least value leaves fills of a builder out': (market) => {
      const [builder] = market.cast.builders
      const of = (query: object) =>
        get(market, '/hl/fills/builder/:builder/latest', { limit: '200', ...query }, { builder })
      return JSON.stringify(of({})) !== JSON.stringify(of({ minVal: '20000' }))
    },
    'top trades are more than 100, by takers and makers': (market) => {
      const query = { coin: 'BTC', interval: '7d', limit: '100' }
      const rows = get(market, '/hl/fills/top-trades', query)
      return rows.length === 100 && both(rows, ({ isTaker }) => isTaker)
    },
    'a coin narrows fills': (market) => {
      const address = market.persona('whale')
      const of = (query: object) => get(market, '/hl/fills/:address', query, { address }).length
      return of({ coin: 'BTC' }) < of({})
    },
  },
  Orders: {
    'filled, cancelled and open': (market) => {
      const seen = new Set(ordersOf(market).map(({ status }) => status))
      return (
        ['filled', 'open'].filter((status) => !seen.has(status)).length === 0 &&
        [...seen].some((status) => String(status).startsWith('cancel'))
      )
    },
    'an order is filled in part': (market) =>
      ordersOf(market).some(
        ({ size, filledSize }) => Number(filledSize) > 0 && Number(filledSize) < Number(size),
      ),
    'orders of an address are more than 2000': (market) =>
      get(market, '/hl/orders/:address/latest', {}, { address: market.persona('busiest') })
        .length === 2000,
    'filled orders of an address are more than 1000': (market) =>
      get(market, '/hl/filled-orders/:address/latest', {}, { address: market.persona('busiest') })
        .length === 1000,
    'an unfilled order is null among filled ones': (market) => {
      return market.cast.oids.cancelled.some(
        (oid) => get(market, '/hl/filled-orders/oid/:oid', {}, { oid: `${oid}` }) === null,
      )
    },
    'open orders are of several times in force': (market) => {
      const query = { coin: 'BTC', min_val: '0', limit: '100' }
      const rows: Row[] = get(market, '/hl/orders/top-open-orders', query)
      return new Set(rows.map(({ tif }) => tif)).size > 1
    },
    'whales have orders on both sides': (market) => {
      const row = get(market, '/hl/orders/active-stats', { coin: 'BTC', whale_threshold: '100000' })
      return row.whaleBidCount > 0 && row.whaleAskCount > 0 && row.bidCount !== row.askCount
    },
    'orders on triggers, for positions, with and without a client id': (market) => {
      const rows = addressesOf(market).flatMap(
        (user) => info(market, 'frontendOpenOrders', { user }) as Row[],
      )
      const placed = addressesOf(market)
        .slice(0, 60)
        .flatMap((user) => info(market, 'historicalOrders', { user }) as Row[])
      return [
        ['isTrigger', both(rows, ({ isTrigger }) => isTrigger)],
        ['cloid', both(rows, ({ cloid }) => cloid === null)],
        ['reduceOnly', both(rows, ({ reduceOnly }) => reduceOnly)],
        ['orderType', new Set(placed.map(({ order }) => order.orderType)).size > 2],
        ['positionTpsl', both(rows, ({ isPositionTpsl }) => isPositionTpsl)],
      ].flatMap(([name, isSeen]) => (isSeen ? [] : [name]))
    },
  },
  Account: {
    'totalValue is not the sum of spotValue and perpValue': (market) =>
      both(
        accountsOf(market).filter(({ perpValue }) => Number(perpValue) > 1),
        ({ totalValue, spotValue, perpValue }) =>
          Math.abs(Number(totalValue) - Number(spotValue) - Number(perpValue)) < 0.01,
      ),
    'perp equity is not added again on unified margin': (market) =>
      accountsOf(market).some(
        ({ totalValue, spotValue, perpValue }) => totalValue === spotValue && Number(perpValue) > 1,
      ),
    'a negative balance is clamped to 0': (market) => {
      const [row] = post(market, '/hl/traders/accounts', {
        addresses: [market.persona('borrower')],
      })
      const [state] = post(market, '/hl/traders/spot-clearinghouse-state', {
        addresses: [market.persona('borrower')],
      })
      return row.spotValue === '0' && state.spotState.balances[0].total.startsWith('-')
    },
    'equity on builder dexes is not in totalValue': (market) =>
      both(accountsOf(market), ({ builderPerpValue }) => Number(builderPerpValue) > 0),
    'effLeverage is not the leverage, nor the margin usage': (market) =>
      accountsOf(market).some(
        ({ effLeverage, marginUsageRate }) => effLeverage !== marginUsageRate,
      ),
    'an account without a position': (market) =>
      both(accountsOf(market), ({ currentPosition }) => currentPosition === 0),
    'batches cut: more than 50 addresses have statistics': (market) =>
      post(market, '/hl/traders/statistics', { addresses: addressesOf(market), period: 7 })
        .length === 50 && addressesOf(market).length > 50,
    'longs and shorts gain and lose': (market) => {
      const rows = post(market, '/hl/traders/statistics', {
        addresses: addressesOf(market),
        period: 30,
      })
      return (
        signs(rows, ({ longPnl }) => longPnl) &&
        signs(rows, ({ shortPnl }) => shortPnl) &&
        rows.some(({ longWr, shortWr }: Row) => longWr !== shortWr)
      )
    },
    'pnlList is null unless it is requested': (market) => {
      const of = (pnlList: boolean) =>
        post(market, '/hl/traders/statistics', { addresses: [market.persona('star')], pnlList })[0]
          .pnlList
      return of(false) === null && of(true).length > 0
    },
    'a period differs from all time': (market) => {
      const of = (period: number) =>
        post(market, '/hl/traders/statistics', { addresses: [market.persona('star')], period })[0]
          .positions
      return differs(of(0), of(7), of(1))
    },
  },
  'Perp account state': {
    'isolated and cross': (market) =>
      both(positionsOf(market), ({ leverage }) => leverage.type === 'isolated'),
    'rawUsd is null on cross margin': (market) =>
      both(positionsOf(market), ({ leverage }) => leverage.rawUsd === null),
    'long and short': (market) => signs(positionsOf(market), ({ szi }) => szi),
    'a position that no price liquidates': (market) =>
      both(positionsOf(market), ({ liquidationPx }) => liquidationPx === null),
    'cross sums differ from the sums of all': (market) =>
      statesOf(market).some(
        ({ state }) => state.marginSummary.accountValue !== state.crossMarginSummary.accountValue,
      ),
    'funding of all time, since it was opened and since its change': (market) =>
      positionsOf(market).some(({ cumFunding: { allTime, sinceOpen, sinceChange } }) =>
        differs(allTime, sinceOpen, sinceChange),
      ),
    'funding is paid and received': (market) =>
      signs(positionsOf(market), ({ cumFunding }) => cumFunding.allTime),
    'leverage below the most': (market) =>
      both(positionsOf(market), ({ leverage, maxLeverage }) => leverage.value === maxLeverage),
    'another dex has positions of its own': (market) => {
      const rows = post(market, '/hl/traders/clearinghouse-state', {
        addresses: addressesOf(market),
        dex: 'xyz',
      })
      return rows.some(({ state }: Row) => state.assetPositions.length > 0)
    },
    'what can be withdrawn is not what there is': (market) =>
      statesOf(market).some(({ state }) => {
        const { withdrawable, marginSummary } = state
        return withdrawable !== '0.0' && withdrawable !== marginSummary.accountValue
      }),
  },
  'Spot account state': {
    'part of a balance is held': (market) => {
      const rows = post(market, '/hl/traders/spot-clearinghouse-state', {
        addresses: addressesOf(market),
      })
      const balances = rows.flatMap(({ spotState }: Row) => spotState.balances)
      return balances.some(
        ({ hold, total }: Row) => Number(hold) > 0 && Number(hold) < Number(total),
      )
    },
    'several tokens, with what they cost': (market) => {
      const rows = post(market, '/hl/traders/spot-clearinghouse-state', {
        addresses: addressesOf(market),
      })
      const balances = rows.flatMap(({ spotState }: Row) => spotState.balances)
      return (
        new Set(balances.map(({ coin }: Row) => coin)).size > 2 &&
        balances.some(({ entryNtl }: Row) => Number(entryNtl) > 0)
      )
    },
  },
  Whales: {
    'events of both actions, of both margin modes': (market) => {
      const rows = get(market, '/hl/whales/latest-events', { limit: '100' })
      return [
        ['positionAction', new Set(rows.map(({ positionAction }: Row) => positionAction)).size > 1],
        ['marginMode', new Set(rows.map(({ marginMode }: Row) => marginMode)).size > 1],
        ['long and short', signs(rows, ({ positionSize }) => positionSize)],
        ['liqPrice', both(rows, ({ liqPrice }) => liqPrice === null || Number(liqPrice) === 0)],
        ['100', rows.length === 100],
      ].flatMap(([name, isSeen]) => (isSeen ? [] : [name]))
    },
    'more longs than shorts, or fewer; a coin has its own': (market) => {
      const [all, one] = [
        get(market, '/hl/whales/directions'),
        get(market, '/hl/whales/directions', { coin: 'BTC' }),
      ]
      return all.longCount !== all.shortCount && all.longCount > one.longCount
    },
  },
  Positions: {
    'records of longs and shorts, cross and isolated': (market) => {
      const whales = get(market, '/hl/whales/open-positions', { take: '60' }).map(
        ({ user, symbol }: Row) => ({ address: user, coin: symbol }),
      )
      const rows = [...market.cast.openPositions, ...whales]
        .map(({ address, coin }) => ({ address, coin }))
        .map((path) => get(market, '/hl/traders/:address/current-position-pnl/:coin', {}, path))
        .filter((row) => row !== null)
      return both(rows, ({ direction }) => direction === 'long') && both(rows, ({ cross }) => cross)
    },
    'null without a current position': (market) =>
      get(
        market,
        '/hl/traders/:address/current-position-pnl/:coin',
        {},
        {
          address: market.persona('empty'),
          coin: 'BTC',
        },
      ) === null,
    'a position with more than 1000 intervals': (market) => {
      const address = market.persona('busiest')
      const [held] = post(market, '/hl/traders/clearinghouse-state', { addresses: [address] })
      const coin = held.state.assetPositions[0].position.coin
      const query = { interval: '15m', limit: '1000' }
      return (
        get(market, '/hl/traders/:address/current-position-executions/:coin', query, {
          address,
          coin,
        }).executions.length === 1000
      )
    },
    'an average price is null where one side has no executions': (market) => {
      const rows = market.cast.openPositions
        .slice(0, 40)
        .map((path) =>
          get(
            market,
            '/hl/traders/:address/current-position-executions/:coin',
            { limit: '200' },
            path,
          ),
        )
        .flatMap((row) => row?.executions ?? [])
      return (
        both(rows, ({ buyAvgPx }) => buyAvgPx === null) &&
        both(rows, ({ sellAvgPx }) => sellAvgPx === null)
      )
    },
    'endTime is left out while it is open': (market) => {
      const [path] = market.cast.openPositions
      const row = get(market, '/hl/traders/:address/current-position-history/:coin', {}, path)
      return !row.endTime && row.history.length > 0
    },
    'a liquidation price of a snapshot is null': (market) => {
      const free = statesOf(market).flatMap(({ address, state }) =>
        state.assetPositions
          .filter(({ position }: Row) => position.liquidationPx === null)
          .map(({ position }: Row) => ({ address, coin: position.coin })),
      )
      const rows = free
        .slice(0, 3)
        .flatMap(
          (path) =>
            get(market, '/hl/traders/:address/current-position-history/:coin', {}, path).history,
        )
      return rows.some(({ liquidationPx }) => liquidationPx === null)
    },
  },
  Portfolio: {
    'windows differ': (market) => {
      const address = market.persona('star')
      return differs(
        ...['day', 'week', 'month', 'allTime'].map((window) =>
          JSON.stringify(get(market, '/hl/portfolio/:address/:window', {}, { address, window })),
        ),
      )
    },
  },
}
