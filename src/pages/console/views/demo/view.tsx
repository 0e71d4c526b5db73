/** The market on a projector, with stories, captions and shortcuts. */

import { batch, signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { StoryRecord } from '../../../../clients/control/records.ts'
import { hostClock } from '../../../../clock/system-clock.ts'
import { ICONS } from '../../parts/icon.tsx'
import { Panel } from '../../parts/panel.tsx'
import { onFrame, timeNow, useFetched, useStream, virtualTime } from '../../session/asking.ts'
import {
  controlPlane,
  isGuest,
  lastingPlane,
  lookAgain,
  serverState,
  session,
} from '../../session/connection.ts'
import { dollarText, percentText } from '../../shell/formats.ts'
import { useCommands, useShortcut } from '../../shell/menu.ts'
import { language } from '../../shell/preferences.ts'
import type { View } from '../../shell/route.ts'
import { changeQuery, go, route } from '../../shell/route.ts'
import { errorText } from '../../shell/toast-list.tsx'
import { wording } from '../../shell/words.ts'
import { carryOut, cleared } from '../../story/actions.ts'
import {
  bestPrices,
  figureOf,
  isMet,
  type Measurable,
  newcomerIn,
  readHistoryDays,
  type StoryCondition,
} from '../../story/figures.ts'
import {
  currentStep,
  type PlayerEvent,
  type Playing,
  played,
  type StoryStep,
  shownStep,
  stepProgress,
} from '../../story/player.ts'
import { BookLadder } from '../market/book-ladder.tsx'
import { CandleChart } from '../market/candle-chart.tsx'
import { candleInterval } from '../market/candle-window.ts'
import { CoinHead } from '../market/coin-head.tsx'
import { TradeTape } from '../market/trade-tape.tsx'
import { FallingLiquidations, LiquidationHeatmap } from '../positions/liquidation-heatmap.tsx'
import { Events as WhaleEvents } from '../whales/view.tsx'

/** The story played on the selected sandbox. */
const playing = signal<Playing | null>(null)
/** The story to start after the earlier one is reverted. */
const beginning = signal<{ story: StoryRecord } | null>(null)

/** Starts a story on an untouched market. */
async function begin(story: StoryRecord): Promise<void> {
  const control = session.value?.control
  const mine = { story }
  batch(() => {
    playing.value = null
    newcomer.value = null
    beginning.value = control ? mine : null
  })
  if (!control) return
  await cleared(control).catch(() => {})
  await lookAgain()
  // Another one was started meanwhile, or it was cancelled.
  if (beginning.value !== mine) return
  batch(() => {
    beginning.value = null
    tell({ kind: 'start', story })
  })
}

async function restart(): Promise<void> {
  if (playing.value) await begin(playing.value.story)
}

/** Ends it, and reverts its actions. */
async function end(): Promise<void> {
  beginning.value = null
  tell({ kind: 'stop' })
  const control = session.value?.control
  if (control) await control.scenario.clear().catch(() => {})
}

/** Reverts the story that plays when its page is closed: no other page ends it. */
function onPageGone(): void {
  const id = session.peek()?.sandbox
  const now = playing.peek()
  if (id === undefined || now === null) return
  const done = now.story.steps.slice(0, now.at + 1).flatMap((step) => step.do)
  const { sandboxes, scenario } = lastingPlane()
  const call = done.some(({ market }) => market !== undefined)
    ? sandboxes.reset(id)
    : scenario.clear(id)
  call.catch(() => {})
}

/** Sends an event to the player, and runs the resulting actions. */
function tell(event: PlayerEvent): void {
  const before = playing.value
  const now = played(before, event)
  playing.value = now
  const isNew = now !== null && now.phase === 'acting' && now !== before
  if (isNew) void act(now)
}

/** Between two measurements of a condition, ms. */
const MEASURED_EVERY_MS = 1_000

/** The coin that a story has listed; null before. */
const newcomer = signal<string | null>(null)

/** Finds it as long as a step is to show it. */
async function findNewcomer(): Promise<void> {
  const now = playing.peek()
  const current = session.peek()
  if (!now || !current || currentStep(now)?.coin !== 'newcomer') return
  const { events } = await current.control.market.events()
  if (playing.peek()?.story === now.story) newcomer.value = newcomerIn(events)
}

/** The coin of the present step. */
const coinOf = (now: Playing): string =>
  (shownStep(now)?.coin === 'newcomer' ? newcomer.value : null) ?? now.story.coin

/** Measures the condition of the present step until it holds, or its time is over. */
async function prove(): Promise<void> {
  const now = playing.peek()
  const until = now && currentStep(now)?.until
  const current = session.peek()
  if (!until || now.phase !== 'proving' || !current) return
  const { coin } = now.story
  const { events } = await current.control.market.events()
  const isOfHistory = until.figure === 'historyDays'
  const historyDays = isOfHistory ? await readHistoryDays(current.account, coin) : null
  const nowMs = timeNow()?.shownMs ?? null
  const value = figureOf({ events, ...pushed, nowMs, historyDays }, coin, until)
  if (value !== null && playing.peek()?.story === now.story && playing.peek()?.at === now.at)
    tell({ kind: 'measured', value, nowMs: hostClock.monotonicMs() })
}

/** The newest pushes of the story's coin. */
const pushed: Pick<Measurable, 'book' | 'tradeMs'> = { book: null, tradeMs: null }

/** Follows them while a story plays. */
function usePushes(coin: string | null): void {
  useEffect(() => {
    Object.assign(pushed, { book: null, tradeMs: null })
  }, [coin])
  useStream('l2Book', coin === null ? null : { coin }, (book) => {
    pushed.book = bestPrices(book)
  })
  useStream('trades', coin === null ? null : { coin }, (trades) => {
    pushed.tradeMs = trades.at(-1)?.time ?? pushed.tradeMs
  })
}

/** Measures again and again while it is not stopped. */
function proveOnAndOn(): () => void {
  let stop = () => {}
  const again = () => {
    stop = hostClock.startTimer(
      MEASURED_EVERY_MS,
      () =>
        void Promise.all([findNewcomer(), prove()])
          .catch(() => {})
          .then(again),
    )
  }
  again()
  return () => stop()
}

/** Advances time while it is called. */
const tick = (): void => tell({ kind: 'tick', nowMs: hostClock.monotonicMs() })

async function act(now: Playing): Promise<void> {
  const done = await carriedOut(now)
  // Another step may be active by now.
  if (playing.value === now) tell({ ...done, nowMs: hostClock.monotonicMs() })
}

async function carriedOut(
  now: Playing,
): Promise<{ kind: 'acted' } | { kind: 'failed'; error: string }> {
  try {
    const control = session.value?.control
    if (control) await carryOut(control, currentStep(now)?.do ?? [])
    return { kind: 'acted' }
  } catch (error) {
    return { kind: 'failed', error: errorText(error) }
  }
}

// The selected market, as large as the screen allows.

/** On a projector a minute should visibly move. */
const INTERVAL = candleInterval('5s')

function Stage({ coin, show }: { coin: string; show: StoryStep['show'] }) {
  const isLiquidations = show === 'liquidations'
  return (
    <div class={`stage show-${show}`}>
      <CoinHead coin={coin} onPick={(picked) => go('market', [picked])} />
      <Panel title={`${coin} · ${INTERVAL.name}`} class="candles" isFlush>
        <CandleChart coin={coin} interval={INTERVAL} />
      </Panel>
      {show !== 'chart' && (
        <div class="stage-side">
          {(show === 'all' || show === 'book') && <BookLadder key={`book ${coin}`} coin={coin} />}
          {(show === 'all' || show === 'trades' || show === 'whales') && <TradeTape coin={coin} />}
          {show === 'whales' && <WhaleEvents />}
          {isLiquidations && <FallingLiquidations coin={coin} />}
          {isLiquidations && <LiquidationHeatmap coin={coin} />}
        </div>
      )}
    </div>
  )
}

export const demoView: View = {
  id: 'demo',
  group: 'market',
  title: () => say('title'),
  about: () => say('about'),
  icon: ICONS.demo,
  component: Demo,
  isFullScreen: true,
}

/** Pause after a story, ms. */
const PAUSE_MS = 8_000

function Demo() {
  const stories = useFetched(() => controlPlane().story.list(), { everyMs: 60_000 })
  const list = stories.data?.stories ?? []
  const isAuto = route.value.query.auto !== undefined && !isGuest.value
  const now = playing.value
  useDemoKeys()
  useEffect(() => onFrame(tick), [])
  useEffect(proveOnAndOn, [])
  usePushes(now?.story.coin ?? null)
  useEffect(() => {
    addEventListener('pagehide', onPageGone)
    return () => removeEventListener('pagehide', onPageGone)
  }, [])
  useNextStory(isAuto, list)
  useCommands(
    () =>
      isGuest.value
        ? []
        : list.map((story) => ({ title: story.title[language.value], run: () => begin(story) })),
    [list, language.value, isGuest.value],
  )
  const show = (now && shownStep(now)?.show) ?? 'all'
  return (
    <div class="demo">
      {serverState.value === 'gone' && (
        <p class="demo-away" role="status">
          {say('away')}
        </p>
      )}
      <Stage coin={now ? coinOf(now) : 'BTC'} show={show} />
      {now ? (
        <CaptionBar playing={now} onStop={stop} />
      ) : (
        <StoryMenu
          stories={list}
          flaws={stories.data?.flaws ?? []}
          isAuto={isAuto}
          onAuto={setAuto}
        />
      )}
    </div>
  )
}

/** In the address, so that a kiosk starts with its browser. */
const setAuto = (isAuto: boolean) => changeQuery({ auto: isAuto ? 1 : null })

function stop(): void {
  setAuto(false)
  void end()
}

function useDemoKeys(): void {
  const unlessGuest = (run: () => void) => () => {
    if (!isGuest.value) run()
  }
  const next = unlessGuest(() => tell({ kind: 'next' }))
  useShortcut(' ', () => say('next'), next)
  useShortcut('ArrowRight', () => say('next'), next)
  useShortcut(
    'ArrowLeft',
    () => say('back'),
    unlessGuest(() => tell({ kind: 'back' })),
  )
  useShortcut(
    'r',
    () => say('restart'),
    unlessGuest(() => void restart()),
  )
  useShortcut('Escape', () => say('stop'), unlessGuest(stop))
}

/** Plays all stories in a loop, for a kiosk. */
function useNextStory(isAuto: boolean, list: readonly StoryRecord[]): void {
  const now = playing.value
  const last = useRef<string | null>(null)
  if (now) last.current = now.story.name
  const isOver = beginning.value === null && (now === null || now.phase === 'over')
  const isLive = serverState.value === 'live' && session.value !== null
  useEffect(() => {
    if (!isAuto || !isOver || !isLive || list.length === 0) return undefined
    const at = list.findIndex(({ name }) => name === last.current)
    const story = list[(at + 1) % list.length] as StoryRecord
    return hostClock.startTimer(now === null ? 0 : PAUSE_MS, () => void begin(story))
  }, [isAuto, isOver, isLive, list.length, now?.story.name])
}

interface StoryMenuProps {
  stories: readonly StoryRecord[]
  flaws: readonly string[]
  isAuto: boolean
  onAuto(isAuto: boolean): void
}

function StoryMenu({ stories, flaws, isAuto, onAuto }: StoryMenuProps) {
  return (
    <nav class="story-menu" aria-label={say('stories')}>
      {isGuest.value ? (
        <p class="faint">{say('guest')}</p>
      ) : (
        stories.map((story) => (
          <button key={story.name} type="button" class="story" onClick={() => begin(story)}>
            <strong>{story.title[language.value]}</strong>
            <span>{story.about?.[language.value]}</span>
          </button>
        ))
      )}
      <StoryTools isAuto={isAuto} onAuto={onAuto} />
      {flaws.length > 0 && (
        <details class="story-flaws">
          <summary>{say('flaws')}</summary>
          {flaws.map((flaw) => (
            <p key={flaw} class="mono">
              {flaw}
            </p>
          ))}
        </details>
      )}
    </nav>
  )
}

function StoryTools({ isAuto, onAuto }: Pick<StoryMenuProps, 'isAuto' | 'onAuto'>) {
  return (
    <div class="story-tools">
      {!isGuest.value && (
        <label class="auto">
          <input
            type="checkbox"
            checked={isAuto}
            onChange={({ currentTarget }) => onAuto(currentTarget.checked)}
          />
          {say('auto')}
        </label>
      )}
      <button
        type="button"
        class="bare"
        onClick={() => document.documentElement.requestFullscreen()}
      >
        {say('fullScreen')}
      </button>
      <button type="button" class="bare" onClick={() => go('market')}>
        {say('leave')}
      </button>
    </div>
  )
}

/** Caption of the present step, readable from the last row. */
function CaptionBar({ playing, onStop }: { playing: Playing; onStop(): void }) {
  const { story, at, error } = playing
  const step = currentStep(playing)
  // Read for its updates, which animate the line.
  void virtualTime.value
  const progress = stepProgress(playing, hostClock.monotonicMs())
  return (
    <section class="caption-bar" aria-live="polite">
      <div class="caption-progress" style={{ transform: `scaleX(${progress})` }} />
      <div class="caption-head">
        <strong>{story.title[language.value]}</strong>
        <span class="faint">{step && say('step', { at: at + 1, all: story.steps.length })}</span>
      </div>
      <p class="caption">{step ? step.caption[language.value] : say('over')}</p>
      {step?.until && <Proof until={step.until} playing={playing} />}
      {error !== null && <p class="down">{error}</p>}
      <div class="caption-keys">
        <button type="button" class="primary" onClick={() => tell({ kind: 'next' })}>
          {say('next')}
        </button>
        <button type="button" onClick={() => restart()}>
          {say('restart')}
        </button>
        <button type="button" onClick={onStop}>
          {say('stop')}
        </button>
        <span class="faint minor">{say('hint')}</span>
      </div>
    </section>
  )
}

/** The measured figure of a step, and whether it is what the caption says. */
function Proof({ until, playing }: { until: StoryCondition; playing: Playing }) {
  const { figure, above, below } = until
  const { measured, isUnmet } = playing
  const text = FIGURE_TEXTS[figure] ?? dollarText
  const bounds = [
    ...(above === null ? [] : [`> ${text(above)}`]),
    ...(below === null ? [] : [`< ${text(below)}`]),
  ]
  const holds = measured !== null && isMet(until, measured)
  return (
    <p class={holds ? 'proof up' : 'proof faint'}>
      {say(figure)}: <strong>{measured === null ? '…' : text(measured)}</strong>{' '}
      {!holds && say(isUnmet ? 'unmet' : 'until', { bounds: bounds.join(', ') })}
    </p>
  )
}

const FIGURE_TEXTS: Partial<Record<StoryCondition['figure'], (value: number) => string>> = {
  changePct: (value) => percentText(value / 100),
  spreadBp: (value) => `${value.toFixed(2)} bp`,
  bookAgeS: (value) => `${value.toFixed(1)} s`,
  tradeAgeS: (value) => `${value.toFixed(1)} s`,
  historyDays: (value) => say('days', { days: value }),
}

const say = wording({
  spreadBp: ['Spread', '价差'],
  bookAgeS: ['Age of the book', '盘口时间距今'],
  tradeAgeS: ['Age of the last trade', '最近成交距今'],
  historyDays: ['Days with candles', 'K 线天数'],
  days: ['{days} days', '{days} 天'],
  changePct: ['Price since then', '此后涨跌'],
  tradedUsd: ['Traded since then', '此后成交额'],
  boughtUsd: ['Bought since then', '此后买入额'],
  liquidatedUsd: ['Liquidated since then', '此后清算额'],
  until: ['(waiting for {bounds})', '（等待 {bounds}）'],
  unmet: ['(not reached in time: {bounds})', '（未在时限内达到：{bounds}）'],
  title: ['Demo', '演示'],
  about: ['A full-screen market with stories that play', '全屏市场与自动播放的演示故事'],
  stories: ['Stories', '故事'],
  next: ['Next', '下一步'],
  restart: ['Restart', '重新开始'],
  back: ['Back', '上一步'],
  stop: ['End the story', '结束故事'],
  leave: ['Back to the console', '返回控制台'],
  fullScreen: ['Full screen', '全屏'],
  menu: ['Choose a story', '选择故事'],
  over: ['The end', '完'],
  live: ['live', '实时'],
  away: [
    'The server does not answer; the demo continues once it is back',
    '服务器暂时离线，恢复后自动继续',
  ],
  guest: ['You are a read-only guest.', '您是只读访客。'],
  step: ['{at} of {all}', '{at} / {all}'],
  auto: ['One after another', '循环播放'],
  hint: ['Space next · R restart · Esc ends', '空格 下一步 · R 重来 · Esc 结束'],
  whales: ['Whales', '巨鲸'],
  liquidations: ['Liquidations', '爆仓'],
  side: ['Side', '方向'],
  value: ['Value', '金额'],
  flaws: ['Stories that cannot be read', '无法读取的故事'],
})
