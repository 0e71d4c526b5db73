/** A trader's positions, open orders, fills and closed positions as tables. */

import { useMemo } from 'preact/hooks'
import type { ChannelTypes } from '../../../../clients/service/contract/channels.ts'
import type { UserFill } from '../../../../clients/service/contract/records.ts'
import { NoPush, Shown } from '../../parts/shown.tsx'
import { Table } from '../../parts/table.tsx'
import { Newest, useFetched, useNewestPush, useStream } from '../../session/asking.ts'
import { era } from '../../session/connection.ts'
import {
  dateTimeText,
  dayTimeText,
  dollarText,
  numberText,
  shortAddress,
  signClass,
} from '../../shell/formats.ts'
import { linkTo } from '../../shell/route.ts'
import { say } from './words.ts'

type NativeState = ChannelTypes['clearinghouseState']['data']['clearinghouseState']

export interface PositionListProps {
  account: NativeState | null
  /** Reason for none. */
  refusal: unknown
}

export function PositionList({ account, refusal }: PositionListProps) {
  if (account === null) return <NoPush refusal={refusal} />
  const rows = account.assetPositions.map(({ position }) => position)
  if (rows.length === 0) return <p class="note">{say('noPositions')}</p>
  return (
    <Table
      label={say('positions')}
      rows={rows}
      keyOf={({ coin }) => coin}
      columns={[
        { title: say('coin'), cell: ({ coin }) => <CoinLink coin={coin} /> },
        { title: say('side'), cell: ({ szi }) => <Side isLong={Number(szi) > 0} /> },
        {
          title: say('size'),
          isNumber: true,
          cell: ({ szi }) => numberText(szi.replace('-', '')),
        },
        { title: say('value'), isNumber: true, cell: (row) => dollarText(row.positionValue) },
        {
          title: say('entry'),
          isNumber: true,
          isMinor: true,
          cell: ({ entryPx }) => numberText(entryPx),
        },
        {
          title: say('liquidation'),
          isNumber: true,
          isMinor: true,
          cell: ({ liquidationPx }) => (liquidationPx === null ? '–' : numberText(liquidationPx)),
        },
        {
          title: say('leverage'),
          isNumber: true,
          isMinor: true,
          cell: ({ leverage }) => `${leverage.value}×`,
        },
        {
          title: say('unrealized'),
          isNumber: true,
          cell: ({ unrealizedPnl }) => <Dollars value={unrealizedPnl} />,
        },
        {
          title: say('funding'),
          isNumber: true,
          isMinor: true,
          cell: ({ cumFunding }) => dollarText(cumFunding.sinceOpen),
        },
      ]}
    />
  )
}

export function OpenOrders({ address }: { address: string }) {
  const { pushed, refusal } = useNewestPush('openOrders', { user: address })
  if (pushed.value === null) return <NoPush refusal={refusal.value} />
  const { orders } = pushed.value
  if (orders.length === 0) return <p class="note">{say('noOrders')}</p>
  return (
    <Table
      label={say('orders')}
      rows={orders}
      keyOf={({ oid }) => oid}
      columns={[
        { title: say('time'), isMinor: true, cell: ({ timestamp }) => dateTimeText(timestamp) },
        { title: say('coin'), cell: ({ coin }) => <CoinLink coin={coin} /> },
        { title: say('side'), cell: ({ side }) => <BuySell isBuy={side === 'B'} /> },
        { title: say('type'), isMinor: true, cell: ({ orderType }) => orderType },
        { title: say('price'), isNumber: true, cell: ({ limitPx }) => numberText(limitPx) },
        { title: say('left'), isNumber: true, cell: ({ sz }) => numberText(sz) },
        { title: say('size'), isNumber: true, cell: ({ origSz }) => numberText(origSz) },
      ]}
    />
  )
}

const MOST_FILLS = 200

export function FillList({ address }: { address: string }) {
  const fills = useMemo(() => new Newest<UserFill>(MOST_FILLS), [address, era.value])
  const refusal = useStream('userFills', { user: address }, (data) => {
    if (data.isSnapshot) fills.clear()
    fills.add(data.isSnapshot ? data.fills.toReversed() : data.fills)
  })
  const rows = fills.shown.value
  if (rows.length === 0) return <NoPush refusal={refusal.value} text={say('noFills')} />
  return (
    <Table
      label={say('fills')}
      rows={rows}
      keyOf={({ tid, oid }) => `${tid} ${oid}`}
      columns={[
        { title: say('time'), cell: ({ time }) => dayTimeText(time, 'seconds') },
        { title: say('coin'), cell: ({ coin }) => <CoinLink coin={coin} /> },
        { title: say('side'), isMinor: true, cell: ({ side }) => <BuySell isBuy={side === 'B'} /> },
        { title: say('direction'), isMinor: true, cell: ({ dir }) => directionText(dir) },
        { title: say('price'), isNumber: true, cell: ({ px }) => numberText(px) },
        { title: say('size'), isNumber: true, cell: ({ sz }) => numberText(sz) },
        { title: say('fee'), isNumber: true, isMinor: true, cell: ({ fee }) => dollarText(fee) },
        {
          title: say('pnl'),
          isNumber: true,
          cell: ({ closedPnl }) => <Dollars value={closedPnl} />,
        },
      ]}
    />
  )
}

export function ClosedTrades({ address }: { address: string }) {
  const requested = useFetched(
    ({ account }) => account.perpdex.completedTrades({ path: { address }, query: { limit: 100 } }),
    { of: [address, era.value], everyMs: 5000 },
  )
  return (
    <Shown of={requested} isEmpty={({ length }) => length === 0} emptyText={say('noTrades')}>
      {(rows) => (
        <Table
          label={say('completed')}
          rows={rows}
          keyOf={({ coin, openTime, closeTime }) => `${coin} ${openTime} ${closeTime}`}
          columns={[
            { title: say('closed'), cell: ({ closeTime }) => dateTimeText(closeTime) },
            { title: say('coin'), cell: ({ coin }) => <CoinLink coin={coin} /> },
            { title: say('side'), cell: ({ side }) => <Side isLong={side === 'long'} /> },
            {
              title: say('size'),
              isNumber: true,
              isMinor: true,
              cell: (row) => numberText(row.size),
            },
            {
              title: say('entry'),
              isNumber: true,
              isMinor: true,
              cell: (row) => numberText(row.entryPrice),
            },
            {
              title: say('exit'),
              isNumber: true,
              isMinor: true,
              cell: (row) => numberText(row.exitPrice),
            },
            { title: say('pnl'), isNumber: true, cell: ({ pnl }) => <Dollars value={pnl} /> },
            {
              title: say('held'),
              isNumber: true,
              isMinor: true,
              cell: ({ openTime, closeTime }) => heldText(closeTime - openTime),
            },
          ]}
        />
      )}
    </Shown>
  )
}

const Side = ({ isLong }: { isLong: boolean }) => (
  <span class={isLong ? 'up' : 'down'}>{say(isLong ? 'long' : 'short')}</span>
)

const BuySell = ({ isBuy }: { isBuy: boolean }) => (
  <span class={isBuy ? 'up' : 'down'}>{say(isBuy ? 'buy' : 'sell')}</span>
)

const Dollars = ({ value }: { value: string }) => (
  <span class={signClass(value)}>{dollarText(value)}</span>
)

// Holding time of a position.

/** `2 d 4 h`, `3 h 10 min`, `12 min`. */
function heldText(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)]
  if (days > 0) return `${days} d ${hours} h`
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`
}

const DIRECTIONS: Readonly<Record<string, Parameters<typeof say>[0]>> = {
  'Open Long': 'openLong',
  'Open Short': 'openShort',
  'Close Long': 'closeLong',
  'Close Short': 'closeShort',
  Buy: 'buy',
  Sell: 'sell',
}

/** Effect of a fill on its position, worded in English by the venue. */
function directionText(dir: string): string {
  const key = DIRECTIONS[dir]
  return key === undefined ? dir : say(key)
}

/** A trader's address, linked to the trader's page. */
export function AddressLink({ address }: { address: string }) {
  return (
    <a class="mono" href={linkTo('traders', [address])} title={address}>
      {shortAddress(address)}
    </a>
  )
}

/** A coin, linked to its market. */
export const CoinLink = ({ coin }: { coin: string }) => (
  <a href={linkTo('market', [coin])}>{coin}</a>
)
