/** Everything of one trader: figures, curves, positions, orders and fills, live. */
import type { ChannelTypes } from '../../../client/contract/channels.ts'
import { Choice } from '../../parts/choice.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Panel } from '../../parts/panel.tsx'
import { useNewestPush } from '../../session/asking.ts'
import { dollarText, signClass } from '../../shell/formats.ts'
import { changeQuery, linkTo, route } from '../../shell/route.ts'
import { TraderCurve } from './trader-curve.tsx'
import { ClosedTrades, FillList, OpenOrders, PositionList } from './trader-tables.tsx'
import { say } from './words.ts'

const PARTS = ['positions', 'orders', 'fills', 'completed'] as const

export function TraderPage({ address }: { address: string }) {
  const part = PARTS.find((one) => one === route.value.query.part) ?? 'positions'
  const { pushed, refusal } = useNewestPush('clearinghouseState', { user: address })
  const isOwn = pushed.value?.user === address
  const account = isOwn ? (pushed.value?.clearinghouseState ?? null) : null
  return (
    <div class="trader">
      <header class="trader-head">
        <a href={linkTo('traders')}>{say('back')}</a>
        <h1 class="mono">{address}</h1>
        <CopyButton text={address} of={say('trader')} />
        {account && <AccountFigures account={account} />}
      </header>
      <TraderCurve address={address} />
      <Panel
        title={say(part)}
        class="trader-part"
        isFlush
        tools={
          <Choice
            label={say('what')}
            value={part}
            options={PARTS.map((value) => ({ value, text: say(value) }))}
            onPick={(picked) => changeQuery({ part: picked })}
          />
        }
      >
        {part === 'positions' && <PositionList account={account} refusal={refusal.value} />}
        {part === 'orders' && <OpenOrders address={address} />}
        {part === 'fills' && <FillList address={address} />}
        {part === 'completed' && <ClosedTrades address={address} />}
      </Panel>
    </div>
  )
}

type NativeState = ChannelTypes['clearinghouseState']['data']['clearinghouseState']

function AccountFigures({ account }: { account: NativeState }) {
  const { marginSummary, withdrawable, assetPositions } = account
  const unrealized = assetPositions.reduce(
    (sum, { position }) => sum + Number(position.unrealizedPnl),
    0,
  )
  const figures = [
    [say('equity'), dollarText(marginSummary.accountValue), ''],
    [say('unrealized'), dollarText(unrealized), signClass(unrealized)],
    [say('margin'), dollarText(marginSummary.totalMarginUsed), ''],
    [say('withdrawable'), dollarText(withdrawable), ''],
  ] as const
  return (
    <dl class="figures">
      {figures.map(([name, value, kind]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd class={kind || undefined}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
